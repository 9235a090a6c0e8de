import './map.css';
import { useEffect, useMemo } from 'preact/hooks';
import { writeMapAddress } from './place/address.ts';
import type { Level } from './units/districts.ts';
import { BaseNotice, LayerNotice } from './notices.tsx';
import { Legend } from './legend/legend.tsx';
import { MapCanvas } from './map-canvas.tsx';
import { createMapState, mapSources } from './map-state.ts';
import { mapWords } from './words/words.ts';

export interface MiniMapProps {
  /** Datasets, the first uppermost. */
  readonly ids: readonly string[];
  /** KATO code of a unit that is outlined and shown. */
  readonly unit?: string | undefined;
  /** The level of units that can be chosen on the map. */
  readonly unitLevel?: Level | undefined;
  readonly onUnit?: ((kato: string | undefined) => void) | undefined;
}

/** A small map of datasets, with their legends. */
export function MiniMap({ ids, unit, unitLevel, onUnit }: MiniMapProps) {
  const locale = mapWords.locale();
  const sources = mapSources();
  const state = useMemo(() => {
    const layers = ids.map((id) => ({ id, opacity: 1, isVisible: true }));
    return createMapState(
      sources,
      writeMapAddress({ layers, at: undefined, date: undefined, only: undefined, unit }),
    );
  }, [ids.join()]);
  useEffect(() => void (state.unit.value = unit), [state, unit]);
  const clicked = state.unit.value;
  useEffect(() => {
    if (unitLevel !== undefined && clicked !== unit) onUnit?.(clicked);
  }, [clicked]);
  return (
    <div class="mini-map">
      <MapCanvas state={state} words={locale.words} wheelZooms={false} unitLevel={unitLevel} />
      {state.rows.value.map(({ id, state: row }) => (
        <div key={id}>
          {row.kind === 'loading' && <p class="small muted">{locale.words.loading}</p>}
          {row.kind === 'failed' && (
            <LayerNotice problem={row.problem} words={locale.words} retry={() => void state.load(id)} />
          )}
          {row.kind === 'shown' && (
            <Legend
              layer={row.layer}
              locale={locale}
              only={state.only.value?.id === id ? state.only.value.index : undefined}
              without={undefined}
              onClass={(index) => state.toggleClass(id, index)}
            />
          )}
        </div>
      ))}
      <BaseNotice state={state} words={locale.words} />
      {state.layers.value.length > 0 && (
        <p>
          <a href={`#/map?l=${ids.join()}${unit === undefined ? '' : `&unit=${unit}`}`}>
            {locale.words.openMap}
          </a>
        </p>
      )}
    </div>
  );
}
