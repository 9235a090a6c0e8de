import { useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Language } from '../../words/languages.ts';
import { loadMapWords } from '../../words/map/map-words.ts';

interface Lazy<Props> {
  readonly load: () => Promise<void>;
  /** Undefined until it is loaded. */
  readonly part: () => ComponentType<Props> | undefined;
}

/** A part of the page whose script comes when it is opened, not before. */
function lazy<Props>(load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  let part: ComponentType<Props> | undefined;
  return { part: () => part, load: async () => void (part = await load()) };
}

function useLoaded<Props>({ part, load }: Lazy<Props>, props: Props & Attributes): ComponentChildren {
  const loads = useSignal(0);
  const loaded = loads.value >= 0 ? part() : undefined;
  const isLoaded = loaded !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    // It may have come between the drawing of the page and here.
    const start = async () => {
      if (part() === undefined) await load();
      loads.value += 1;
    };
    void start();
  }, []);
  return loaded === undefined ? <div class="skeleton" aria-hidden="true" /> : createElement(loaded, props);
}

const page = lazy(async () => (await import('./map-page.tsx')).MapPage);
const mini = lazy(async () => (await import('../../map/mini-map.tsx')).MiniMap);

/** Asks for what the page of the map needs, for an address that leads there. */
export async function preloadMap(language: Language): Promise<void> {
  await Promise.all([page.load(), loadMapWords(language)]);
}

/** The page of the map. */
export function LazyMapPage() {
  return useLoaded(page, {});
}

/** A small map of these datasets, the first uppermost, with their legends. */
export function LazyMiniMap({ ids }: { readonly ids: readonly string[] }) {
  return useLoaded(mini, { ids });
}
