import './map.css';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { createDrawnLayer, createSheet } from './drawing/canvas-layer.ts';
import type { Districts } from './units/districts.ts';
import { MapButtons } from './map-buttons.tsx';
import { mapSources } from './map-state.ts';
import { openMap, type OpenMap } from './open-map.ts';
import { type Outline, pathOf } from './units/outlines.ts';
import { texture } from './layers/unit-layer.ts';
import { mapWords } from './words/words.ts';

const view = 'KZ:AEA';
export const matchColours = { once: '#78b493', several: '#e8a33d' } as const;

interface MatchMapProps {
  /** Rows of each unit, by KATO code. */
  readonly rows: ReadonlyMap<string, number>;
  readonly label: string;
  /** A unit that is outlined and gone to. */
  readonly chosen: string | undefined;
  readonly onUnit: (kato: string | undefined) => void;
}

/** A small map of the units that a table has rows of. */
export function MatchMap({ rows, label, chosen, onUnit }: MatchMapProps) {
  const speech = mapWords.speech();
  const target = useRef<HTMLDivElement>(null);
  const map = useRef<{ readonly opened: OpenMap; readonly show: (rows: MatchMapProps['rows']) => void }>(
    undefined,
  );
  const clicked = useRef<string>(undefined);
  const given = useRef({ rows, onUnit });
  given.current = { rows, onUnit };
  const isFailed = useSignal(false);
  const fail = () => void (isFailed.value = true);
  useLayoutEffect(() => {
    if (target.current === null) return undefined;
    const { rasters, districts } = mapSources();
    const layer = createMatchLayer(districts);
    const pick = async (point: number[]) => {
      const district = await opened.unitAt(point, 'district');
      const isKnown = district !== undefined && given.current.rows.has(district);
      const region = isKnown ? undefined : await opened.unitAt(point, 'region');
      const unit = region !== undefined && given.current.rows.has(region) ? region : (district ?? region);
      clicked.current = unit;
      given.current.onUnit(unit);
    };
    const opened = openMap({
      target: target.current,
      view,
      at: undefined,
      rasters,
      districts,
      waitsForLayers: true,
      wheelZooms: false,
      onMoved: () => undefined,
      onClick: (point) => void pick(point).catch(fail),
      onLayerFailure: fail,
      onBase: (hasFailed) => void (isFailed.value = hasFailed),
    });
    opened.addLayer(layer.layer);
    opened.fit(undefined);
    const show = (of: MatchMapProps['rows']) => void layer.show(of).catch(fail);
    map.current = { opened, show };
    show(given.current.rows);
    const element = target.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter') void pick(opened.centre()).catch(fail);
    };
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('keydown', onKey);
      opened.close();
    };
  }, []);
  useEffect(() => map.current?.show(rows), [rows]);
  useEffect(() => {
    void map.current?.opened.showUnit(chosen, chosen === clicked.current).catch(fail);
  }, [chosen]);
  const { words } = speech;
  return (
    <div class="mini-map match-map">
      <div class="map-canvas">
        <div
          ref={target}
          class="map-target"
          role="application"
          aria-label={`${label}. ${words.mapLabel}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrows move the map
          tabIndex={0}
        />
        <div class="map-cross" aria-hidden="true" />
        <MapButtons
          words={words}
          zoomBy={(steps) => map.current?.opened.zoomBy(steps)}
          home={() => map.current?.opened.fit(undefined)}
        />
      </div>
      {isFailed.value && (
        <div class="small map-layer-failed" role="alert">
          <p>{words.baseFailed}</p>
          <button
            type="button"
            class="button"
            onClick={() => {
              isFailed.value = false;
              map.current?.opened.refresh();
              map.current?.show(rows);
            }}
          >
            {words.again}
          </button>
        </div>
      )}
    </div>
  );
}

/** Units with one row are green, those with several are dotted, others of the same level are hatched. */
function createMatchLayer(districts: Districts) {
  const none = texture('stripes');
  let outlines: readonly Outline[] = [];
  let rows: ReadonlyMap<string, number> = new Map();
  const sheet = createSheet((context, pixels) => {
    context.lineJoin = 'round';
    for (const outline of outlines) {
      const path = pathOf([outline], pixels);
      const count = rows.get(outline.kato) ?? 0;
      context.fillStyle = count === 0 ? none : count === 1 ? matchColours.once : matchColours.several;
      context.fill(path, 'evenodd');
      context.strokeStyle = count > 1 ? '#5d3b00' : 'rgba(255, 255, 255, 0.8)';
      context.lineWidth = (count > 1 ? 1.6 : 0.6) * pixels.ratio;
      context.stroke(path);
    }
  });
  const layer = createDrawnLayer('map-data', [sheet], 10);
  return {
    layer,
    /** @throws {Refused} when borders cannot be read */
    async show(next: ReadonlyMap<string, number>): Promise<void> {
      const levels = await Promise.all(
        (['region', 'district'] as const).map(async (level) => {
          const all = await districts.outlines(level, 'coarse', view);
          return all.some(({ kato }) => next.has(kato)) ? all : [];
        }),
      );
      const [regions = [], units = []] = levels;
      rows = next;
      // Regions without rows would hide nothing but the land below districts.
      outlines = [...regions.filter(({ kato }) => units.length === 0 || next.has(kato)), ...units];
      sheet.forget();
      layer.changed();
    },
  };
}
