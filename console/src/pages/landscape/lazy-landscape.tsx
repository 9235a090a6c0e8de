import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadLandscapeWords } from './words/landscape-words.ts';
import { language } from '../../words/words.ts';

const page = lazy(async () => {
  const [{ LandscapePages }] = await Promise.all([
    import('./landscape-pages.tsx'),
    loadLandscapeWords(language()),
  ]);
  return LandscapePages;
});

/** The pages of the Landscape Program; `path` is what follows `#/landscape/`. */
export function LazyLandscape({ path }: { readonly path: readonly string[] }) {
  return useLoaded(page, { path });
}
