import type { MiniMapProps } from '../../map/mini-map.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { lazy, useLoaded } from '../../parts/lazy.tsx';
import { loadMapWords } from '../../map/words/map-words.ts';
import { language, words } from '../../words/words.ts';

const page = lazy(async () => {
  const [{ MapPage }] = await Promise.all([import('./map-page.tsx'), loadMapWords(language())]);
  return MapPage;
});
const mini = lazy(async () => {
  const [{ MiniMap }] = await Promise.all([import('../../map/mini-map.tsx'), loadMapWords(language())]);
  return MiniMap;
});

/** Asks for what the page of the map needs, for an address that leads there. */
export async function preloadMap(): Promise<void> {
  await page.load();
}

/** The page of the map. */
export function LazyMapPage() {
  const loaded = useLoaded(page, {});
  useTitle(words().shell.map);
  return (
    <>
      <h1 tabIndex={-1} class="visually-hidden">
        {words().shell.map}
      </h1>
      {loaded}
    </>
  );
}

/** A small map of datasets, with their legends. */
export function LazyMiniMap(props: MiniMapProps) {
  return useLoaded(mini, { ...props });
}
