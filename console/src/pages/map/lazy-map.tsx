import { useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';

/** Loads the map and its libraries when a map is opened, not before. */
function useLoaded<Props>(
  load: () => Promise<ComponentType<Props>>,
  props: Props & Attributes,
): ComponentChildren {
  const loaded = useSignal<{ readonly part: ComponentType<Props> } | undefined>(undefined);
  useEffect(() => {
    const start = async () => (loaded.value = { part: await load() });
    void start();
  }, []);
  return loaded.value === undefined ? (
    <div class="skeleton" aria-hidden="true" />
  ) : (
    createElement(loaded.value.part, props)
  );
}

/** The page of the map. */
export function LazyMapPage() {
  return useLoaded(async () => (await import('./map-page.tsx')).MapPage, {});
}

/** A small map of these datasets, the first uppermost, with their legends. */
export function LazyMiniMap({ ids }: { readonly ids: readonly string[] }) {
  return useLoaded(async () => (await import('../../map/mini-map.tsx')).MiniMap, { ids });
}
