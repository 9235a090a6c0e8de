import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadMapWords } from '../../map/words/map-words.ts';
import { loadStyleWords } from './words/style-words.ts';
import { language } from '../../words/words.ts';

const page = lazy(async () => {
  const [{ StylePage }] = await Promise.all([
    import('./style-page.tsx'),
    loadMapWords(language()),
    loadStyleWords(language()),
  ]);
  return StylePage;
});

/** The page on which the style of a dataset is made. */
export function LazyStyle({ id }: { readonly id: string }) {
  return useLoaded(page, { id });
}
