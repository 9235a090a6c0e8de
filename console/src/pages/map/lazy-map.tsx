import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** Loads the map and its libraries when a map is opened, not before. */
function useLoaded<Props>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> | undefined {
  const loaded = useSignal<{ readonly part: ComponentType<Props> } | undefined>(undefined);
  useEffect(() => {
    const start = async () => (loaded.value = { part: await load() });
    void start();
  }, []);
  return loaded.value?.part;
}

/** The page of the map. */
export function LazyMapPage() {
  const Page = useLoaded(async () => (await import('./map-page.tsx')).MapPage);
  return Page === undefined ? <div class="skeleton" aria-hidden="true" /> : <Page />;
}

/** A small map of these datasets, the first uppermost, with their legends. */
export function LazyMiniMap({ ids }: { readonly ids: readonly string[] }) {
  const Map = useLoaded(async () => (await import('../../map/mini-map.tsx')).MiniMap);
  return Map === undefined ? <div class="skeleton" aria-hidden="true" /> : <Map ids={ids} />;
}
