import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createDrawnLayer, createSheet } from './drawing/canvas-layer.ts';
import type { Districts } from './units/districts.ts';
import { MapFrame } from './map-frame.tsx';
import { mapSources } from './map-state.ts';
import { FailedNotice } from './notices.tsx';
import type { OpenMap } from './open-map.ts';
import { type Outline, pathOf } from './units/outlines.ts';
import { texture } from './layers/unit-layer.ts';
import { mapWords } from './words/words.ts';

const view = 'KZ:AEA';
export const matchColours = { once: '#78b493', several: '#e8a33d' } as const;

interface MatchMapProps {
  /** Number of rows of each unit, by KATO code. */
  readonly rows: ReadonlyMap<string, number>;
  readonly label: string;
  /** A unit that is outlined and shown. */
  readonly chosen: string | undefined;
  readonly onUnit: (kato: string | undefined) => void;
}

/** A small map of the units for which a table has rows. */
export function MatchMap({ rows, label, chosen, onUnit }: MatchMapProps) {
  const words = mapWords();
  const map = useRef<OpenMap>(undefined);
  const layer = useMemo(() => createMatchLayer(mapSources().districts), []);
  const clicked = useRef<string>(undefined);
  const isFailed = useSignal(false);
  const fail = () => void (isFailed.value = true);
  const show = () => void layer.show(rows).catch(fail);
  const pick = async (point: number[]) => {
    const district = await map.current?.unitAt(point, 'district');
    const isKnown = district !== undefined && rows.has(district);
    const region = isKnown ? undefined : await map.current?.unitAt(point, 'region');
    const unit = region !== undefined && rows.has(region) ? region : (district ?? region);
    clicked.current = unit;
    onUnit(unit);
  };
  useEffect(show, [rows]);
  useEffect(() => void map.current?.showUnit(chosen, chosen === clicked.current).catch(fail), [chosen]);
  return (
    <div class="mini-map match-map">
      <MapFrame
        view={view}
        label={`${label}. ${words.mapLabel}`}
        words={words}
        home={() => undefined}
        onOpen={(opened) => {
          map.current = opened;
          opened.addLayer(layer.layer);
        }}
        onPick={(point) => void pick(point).catch(fail)}
        onLayerFailure={fail}
        onBase={(hasFailed) => void (isFailed.value = hasFailed)}
      />
      {isFailed.value && (
        <FailedNotice
          words={words}
          retry={() => {
            isFailed.value = false;
            map.current?.refresh();
            show();
          }}
        >
          <p>{words.baseFailed}</p>
        </FailedNotice>
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
      // Regions without rows would only hide the land below districts.
      outlines = [...regions.filter(({ kato }) => units.length === 0 || next.has(kato)), ...units];
      sheet.forget();
      layer.changed();
    },
  };
}
