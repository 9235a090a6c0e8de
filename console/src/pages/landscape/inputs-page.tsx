import { useTitle } from '../../parts/hooks.ts';
import type { LandscapeWords } from '../../words/landscape/words.ts';

export function InputsPage({ words }: { readonly words: LandscapeWords }) {
  useTitle(words.inputs.title);
  return <h1 tabIndex={-1}>{words.inputs.title}</h1>;
}
