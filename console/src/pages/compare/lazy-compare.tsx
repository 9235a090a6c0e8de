import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadCompareWords } from './words/compare-words.ts';
import { loadMapWords } from '../../map/words/map-words.ts';
import { language } from '../../words/words.ts';

const page = lazy(async () => {
  const [{ ComparePage }] = await Promise.all([
    import('./compare-page.tsx'),
    loadCompareWords(language()),
    loadMapWords(language()),
  ]);
  return ComparePage;
});

/** The page that compares two runs; `path` has their ids, as far as they are chosen. */
export function LazyCompare({ path }: { readonly path: readonly string[] }) {
  return useLoaded(page, { path });
}
