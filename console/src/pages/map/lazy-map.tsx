import { useSignal } from '@preact/signals';
import { type Attributes, type ComponentChildren, type ComponentType, createElement } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure } from '../../parts/failure.tsx';
import { Refused } from '../../service/ask.ts';
import { words } from '../../words/words.ts';

/** Loads the map and its libraries when a map is opened, not before. */
function useLoaded<Props>(
  load: () => Promise<ComponentType<Props>>,
  props: Props & Attributes,
): ComponentChildren {
  const loaded = useSignal<{ readonly part: ComponentType<Props> } | undefined>(undefined);
  const failure = useSignal<Refused | undefined>(undefined);
  useEffect(() => {
    const start = async () => {
      try {
        loaded.value = { part: await load() };
      } catch (cause) {
        failure.value = new Refused(String(cause), { status: 0 });
      }
    };
    void start();
  }, []);
  if (loaded.value !== undefined) return createElement(loaded.value.part, props);
  // A browser does not ask again for a script that has failed; after an update of the service it has another name.
  if (failure.value !== undefined)
    return <Failure failure={failure.value} retry={() => location.reload()} />;
  return <div class="skeleton" aria-hidden="true" />;
}

/** The page of the map. */
export function LazyMapPage() {
  const page = useLoaded(async () => (await import('./map-page.tsx')).MapPage, {});
  return (
    <>
      <h1 tabIndex={-1} class="visually-hidden">
        {words().shell.map}
      </h1>
      {page}
    </>
  );
}

/** A small map of these datasets, the first uppermost, with their legends. */
export function LazyMiniMap({ ids }: { readonly ids: readonly string[] }) {
  return useLoaded(async () => (await import('../../map/mini-map.tsx')).MiniMap, { ids });
}
