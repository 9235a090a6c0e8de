import { useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure } from '../../parts/failure.tsx';
import { Refused } from '../../service/ask.ts';
import type { Language } from '../../words/languages.ts';
import { loadMapWords } from '../../words/map/map-words.ts';
import { words } from '../../words/words.ts';

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
  const failure = useSignal<Refused | undefined>(undefined);
  const loaded = loads.value >= 0 ? part() : undefined;
  const isLoaded = loaded !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    const start = async () => {
      try {
        // It may have come between the drawing of the page and here.
        if (part() === undefined) await load();
        loads.value += 1;
      } catch (cause) {
        failure.value = new Refused(String(cause), { status: 0 });
      }
    };
    void start();
  }, []);
  if (loaded !== undefined) return createElement(loaded, props);
  // A browser does not ask again for a script that has failed; after an update of the service it has another name.
  if (failure.value !== undefined) return <Failure failure={failure.value} retry={() => location.reload()} />;
  return <div class="skeleton" aria-hidden="true" />;
}

const page = lazy(async () => (await import('./map-page.tsx')).MapPage);
const mini = lazy(async () => (await import('../../map/mini-map.tsx')).MiniMap);

/** Asks for what the page of the map needs, for an address that leads there. */
export async function preloadMap(language: Language): Promise<void> {
  await Promise.all([page.load(), loadMapWords(language)]);
}

/** The page of the map. */
export function LazyMapPage() {
  const loaded = useLoaded(page, {});
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
