import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure, Waiting } from '../../parts/loading.tsx';
import { useTitle } from '../../parts/hooks.ts';
import { Refused } from '../../service/ask.ts';
import { loadMapWords } from '../../words/map/map-words.ts';
import { language, words } from '../../words/words.ts';

interface Lazy<Props> {
  readonly load: () => Promise<void>;
  /** Undefined until it is loaded. */
  readonly part: ReadonlySignal<ComponentType<Props> | undefined>;
}

/** A part of the page whose script comes when it is opened, not before. */
function lazy<Props>(load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  const part = signal<ComponentType<Props> | undefined>(undefined);
  return { part, load: async () => void (part.value = await load()) };
}

function useLoaded<Props>({ part, load }: Lazy<Props>, props: Props & Attributes): ComponentChildren {
  const failure = useSignal<Refused | undefined>(undefined);
  useEffect(() => {
    // It may have come between the drawing of the page and here.
    if (part.peek() !== undefined) return;
    const start = async () => {
      try {
        await load();
      } catch {
        failure.value = new Refused('', { status: 0 });
      }
    };
    void start();
  }, []);
  if (part.value !== undefined) return createElement(part.value, props);
  // A browser does not ask again for a script that has failed; after an update of the service it has another name.
  if (failure.value !== undefined)
    return <Failure failure={failure.value} retry={() => location.reload()} title={words().failure.script} />;
  return <Waiting />;
}

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

/** A small map of these datasets, the first uppermost, with their legends. */
export function LazyMiniMap({ ids }: { readonly ids: readonly string[] }) {
  return useLoaded(mini, { ids });
}
