import './map.css';
import { useMemo } from 'preact/hooks';
import { writeMapAddress } from './address.ts';
import { BaseNotice, LayerNotice } from './notices.tsx';
import { Legend } from './legend.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { createMapState, mapSources } from './map-state.ts';
import { useMapWords } from './speech.ts';

/** A small map of these datasets, the first uppermost, with their legends. */
export function MiniMap({ ids }: { readonly ids: readonly string[] }) {
  const speech = useMapWords();
  const sources = mapSources();
  const state = useMemo(() => {
    const layers = ids.map((id) => ({ id, opacity: 1, isVisible: true }));
    return createMapState(
      sources,
      writeMapAddress({ layers, at: undefined, date: undefined, only: undefined }),
    );
  }, [ids.join()]);
  if (speech === undefined) return null;
  return (
    <div class="mini-map">
      <MapCanvas state={state} sources={sources} words={speech.words} wheelZooms={false} />
      {state.rows.value.map(({ id, state: row }) => (
        <div key={id}>
          {row.kind === 'loading' && <p class="small muted">{speech.words.loading}</p>}
          {row.kind === 'failed' && (
            <LayerNotice problem={row.problem} words={speech.words} retry={() => void state.load(id)} />
          )}
          {row.kind === 'shown' && (
            <Legend
              layer={row.layer}
              speech={speech}
              only={state.only.value?.id === id ? state.only.value.index : undefined}
              without={undefined}
              onClass={(index) => state.toggleClass(id, index)}
            />
          )}
        </div>
      ))}
      <BaseNotice state={state} words={speech.words} />
      {state.layers.value.length > 0 && (
        <p>
          <a href={`#/map?l=${ids.join()}`}>{speech.words.openMap}</a>
        </p>
      )}
    </div>
  );
}
