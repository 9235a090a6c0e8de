import { useTitle } from '../../parts/hooks.ts';
import type { LandscapeWords } from '../../words/landscape/words.ts';

export function RunsPage({ words }: { readonly words: LandscapeWords }) {
  useTitle(words.runs.title);
  return <h1 tabIndex={-1}>{words.runs.title}</h1>;
}
