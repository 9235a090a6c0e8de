import { recall } from '../../lib/said.ts';
import { type Language, say } from './say.ts';

/** Says an English phrase in a language; as it is where it is none of the service's. */
export function phraseIn(english: string, language: Language): string {
  return say(recall(english), english, language);
}
