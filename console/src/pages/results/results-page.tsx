import { useTitle } from '../../parts/hooks.ts';
import type { LandscapeWords } from '../../words/landscape/words.ts';

export function ResultsPage({ words }: { readonly words: LandscapeWords }) {
  useTitle(words.results.title);
  return <h1 tabIndex={-1}>{words.results.title}</h1>;
}
