import { lazyWords } from '../../../words/lazy-words.ts';
import type { explain } from './en.ts';

/** The words of explanations of places. */
export type ExplainWords = typeof explain;

export const explainWords = lazyWords<ExplainWords>({
  en: async () => (await import('./en.ts')).explain,
  ru: async () => (await import('./ru.ts')).explain,
  kk: async () => (await import('./kk.ts')).explain,
});
