import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createDrawnLayer, createSheet } from '../../map/drawing/canvas-layer.ts';
import { MapFrame } from '../../map/map-frame.tsx';
import { mapSources } from '../../map/map-state.ts';
import { FailedNotice } from '../../map/notices.tsx';
import type { OpenMap } from '../../map/open-map.ts';
import type { Box } from '../../map/place/boxes.ts';
import type { Districts } from '../../map/units/districts.ts';
import { type Outline, pathOf } from '../../map/units/outlines.ts';
import { mapWords } from '../../map/words/words.ts';
import type { RegisterComparison } from '../../service/types.ts';
import type { RegistersWords } from './words/words.ts';

const view = 'KZ:AEA';
const keyOf = ({ a, b, by }: RegisterComparison): string => `${a.dataset_id} ${b.dataset_id} ${by}`;

interface DifferenceMapProps {
  readonly comparison: RegisterComparison;
  /** A unit that is outlined. */
  readonly chosen: string | undefined;
  readonly words: RegistersWords;
  readonly onUnit: (kato: string | undefined) => void;
}

/** The compared units in the colours of their differences. */
export function DifferenceMap({ comparison, chosen, words, onUnit }: DifferenceMapProps) {
  const texts = mapWords();
  const map = useRef<OpenMap>(undefined);
  const layer = useMemo(() => createDifferenceLayer(mapSources().districts), []);
  const fitted = useRef<string>(undefined);
  const isFailed = useSignal(false);
  const fail = () => void (isFailed.value = true);
  const { by } = comparison;
  const box = (): Box | undefined => {
    const [extent, opened] = [layer.extent(), map.current];
    if (extent === undefined || opened === undefined) return undefined;
    const [left, bottom, right, top] = extent;
    const corners = [left, (left + right) / 2, right].flatMap((x) =>
      [bottom, top].map((y) => opened.lonLatOf([x, y])),
    );
    const [lons, lats] = [0, 1].map((axis) => corners.map((corner) => corner[axis] ?? Number.NaN));
    if (lons === undefined || lats === undefined) return undefined;
    return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
  };
  const show = () =>
    void layer.show(comparison).then(() => {
      // Another level, or another pair, has another extent; a map that is moved stays.
      if (fitted.current === keyOf(comparison)) return;
      fitted.current = keyOf(comparison);
      map.current?.fit(box());
    }, fail);
  const outline = () => void map.current?.outlineUnit(by, chosen).catch(fail);
  const pick = async (point: number[]) => {
    const unit = await map.current?.unitAt(point, by);
    onUnit(comparison.rows.some(({ kato }) => kato === unit) ? unit : undefined);
  };
  useEffect(show, [comparison]);
  useEffect(outline, [by, chosen]);
  return (
    <div class="mini-map">
      <MapFrame
        view={view}
        label={words.mapLabel}
        words={texts}
        home={box}
        onOpen={(opened) => {
          map.current = opened;
          opened.addLayer(layer.layer);
          outline();
        }}
        onPick={(point) => void pick(point).catch(fail)}
        onLayerFailure={fail}
        onBase={(hasFailed) => void (isFailed.value = hasFailed)}
      />
      {isFailed.value && (
        <FailedNotice
          words={texts}
          retry={() => {
            isFailed.value = false;
            map.current?.refresh();
            show();
          }}
        >
          <p>{words.mapFailed}</p>
        </FailedNotice>
      )}
    </div>
  );
}

/** Units in the colours of their classes. */
function createDifferenceLayer(districts: Districts) {
  let outlines: readonly Outline[] = [];
  let colours: ReadonlyMap<string, string> = new Map();
  const sheet = createSheet((context, pixels) => {
    context.lineJoin = 'round';
    for (const outline of outlines) {
      const path = pathOf([outline], pixels);
      context.fillStyle = colours.get(outline.kato) ?? 'transparent';
      context.fill(path, 'evenodd');
      context.strokeStyle = 'rgba(90, 100, 96, 0.7)';
      context.lineWidth = 0.6 * pixels.ratio;
      context.stroke(path);
    }
  });
  const layer = createDrawnLayer('map-data', [sheet], 10);
  return {
    layer,
    /** @throws {Refused} when borders cannot be read */
    async show({ by, rows, classes }: RegisterComparison): Promise<void> {
      const found = await districts.outlines(by, 'coarse', view);
      colours = new Map(
        rows.flatMap((row) => {
          const colour = classes[row.class]?.color;
          return colour === undefined ? [] : [[row.kato, colour] as const];
        }),
      );
      outlines = found.filter(({ kato }) => colours.has(kato));
      sheet.forget();
      layer.changed();
    },
    /** The extent of the drawn units in the view; undefined without units. */
    extent(): Outline['extent'] | undefined {
      const [one, ...others] = outlines.map(({ extent }) => extent);
      return others.reduce(
        (all, each) =>
          all && [
            Math.min(all[0], each[0]),
            Math.min(all[1], each[1]),
            Math.max(all[2], each[2]),
            Math.max(all[3], each[3]),
          ],
        one,
      );
    },
  };
}
