import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { replaceQuery } from '../../address/address.ts';
import { type Box, unionOf, viewCodeFor } from '../../map/place/boxes.ts';
import type { Level } from '../../map/units/districts.ts';
import type { RasterLayerModel } from '../../map/layers/layer-model.ts';
import { MapFrame } from '../../map/map-frame.tsx';
import { mapSources } from '../../map/map-state.ts';
import type { OpenMap } from '../../map/open-map.ts';
import { ScaleBar } from '../../map/legend/scale-bar.tsx';
import { formatPlace } from '../../map/place/coordinates.ts';
import { readingText } from '../map/readings.tsx';
import type { Side } from './compare-address.ts';
import { createCompareLayers, type Pair } from './compare-layers.ts';
import type { CompareWords } from './words/words.ts';
import type { MapLocale } from '../../map/words/words.ts';

interface CompareMapProps extends Pair {
  /** Position of the divider, in percent of the width. */
  readonly split: number;
  readonly by: Level;
  /** The unit whose border is drawn. */
  readonly unit: string | undefined;
  /** The runs of the two maps. */
  readonly sides: { readonly left: Side; readonly right: Side };
  readonly words: CompareWords;
  readonly locale: MapLocale;
}

interface Place {
  readonly lon: number;
  readonly lat: number;
  readonly texts: readonly string[];
}

/** The map with its divider, which a slider below the map moves as well. */
export function CompareMap(props: CompareMapProps) {
  const { left, right, changes, split, by, unit, sides, words, locale } = props;
  const map = useRef<OpenMap>(undefined);
  const layers = useRef<ReturnType<typeof createCompareLayers>>(undefined);
  const divider = useSignal(split);
  const metresPerPixel = useSignal<number | undefined>(undefined);
  const hasFailed = useSignal(false);
  const clicked = useSignal<Place | undefined>(undefined);
  const boxes = boxesOf(props);
  // The projection is chosen when there are data.
  const view = boxes.length > 0 ? viewCodeFor(boxes) : undefined;
  const fail = (): void => void (hasFailed.value = true);
  const open = (opened: OpenMap): void => {
    if (view === undefined) return;
    map.current = opened;
    layers.current = createCompareLayers({ view, shareOf: () => divider.peek() / 100, onFailure: fail });
    opened.addLayer(layers.current.layer);
    layers.current.show({ left, right, changes });
  };
  const read = async (point: number[]): Promise<void> => {
    const opened = map.current;
    if (opened === undefined || view === undefined) return;
    const [lon = 0, lat = 0] = opened.lonLatOf(point);
    const texts = await Promise.all(
      [left, right].map(async (model) => await textAt(model, view, point, locale)),
    );
    clicked.value = { lon, lat, texts: texts.map((text) => text ?? words.view.noValue) };
  };
  useLayoutEffect(() => layers.current?.show({ left, right, changes }), [left, right, changes, view]);
  useEffect(() => void (divider.value = split), [split]);
  useEffect(() => {
    // If borders cannot be read, the figures stay; the base map has no borders either.
    void map.current?.outlineUnit(by, unit).catch(() => undefined);
  }, [by, unit, view]);
  const move = (percent: number): void => {
    divider.value = Math.round(Math.min(100, Math.max(0, percent)));
    layers.current?.redraw();
  };
  const keepSplit = (): void =>
    replaceQuery({ split: divider.peek() === middle ? undefined : String(divider.peek()) });
  const isSwipe = changes === undefined;
  return (
    <div class="compare-stage">
      <MapFrame
        view={view}
        label={words.view.label}
        words={locale.words}
        home={() => unionOf(boxes)}
        isAddressed
        onOpen={open}
        onMoved={(_, metres) => void (metresPerPixel.value = metres)}
        onPick={(point) => void read(point).then(() => void (hasFailed.value = false), fail)}
        onLayerFailure={fail}
      >
        {isSwipe && (
          <>
            <span class="swipe-name is-left" aria-hidden="true">
              {words.run[sides.left]}
            </span>
            <span class="swipe-name is-right" aria-hidden="true">
              {words.run[sides.right]}
            </span>
            <Divider percent={divider.value} onMove={move} onRelease={keepSplit} />
          </>
        )}
      </MapFrame>
      {isSwipe && (
        <input
          class="swipe-slider"
          type="range"
          min={0}
          max={100}
          value={divider.value}
          aria-label={words.view.divider}
          aria-valuetext={words.view.at(divider.value)}
          onInput={({ currentTarget }) => move(Number(currentTarget.value))}
          onChange={keepSplit}
        />
      )}
      <div class="compare-read small">
        <span role="status">
          {hasFailed.value && words.view.failed}
          {clicked.value !== undefined && <PlaceValues place={clicked.value} {...{ sides, words, locale }} />}
        </span>
        <ScaleBar metresPerPixel={metresPerPixel.value} locale={locale} />
      </div>
    </div>
  );
}

const middle = 50;

const boxesOf = ({ left, right }: Pair): readonly Box[] =>
  [left, right].flatMap((model): Box[] => (model?.box === undefined ? [] : [model.box]));

/** The value of a raster at a point of the view, as text; undefined if it has none. */
async function textAt(
  model: RasterLayerModel | undefined,
  view: ReturnType<typeof viewCodeFor>,
  [x = Number.NaN, y = Number.NaN]: number[],
  locale: MapLocale,
): Promise<string | undefined> {
  if (model === undefined) return undefined;
  const [column, row] = model.place.pixel(view, x, y);
  const bands = await mapSources().rasters.peek({ url: model.url, column, row });
  if (bands === undefined) return undefined;
  const { id } = model.dataset;
  if (model.paint.kind === 'bands') return readingText({ id, value: undefined, bands }, model, locale);
  const value = bands[model.paint.band - 1];
  if (value === undefined || Number.isNaN(value)) return undefined;
  return readingText({ id, value }, model, locale);
}

interface PlaceValuesProps extends Pick<CompareMapProps, 'sides' | 'words' | 'locale'> {
  readonly place: Place;
}

/** The values of both maps at the clicked place. */
function PlaceValues({ place: { lon, lat, texts }, sides, words, locale }: PlaceValuesProps) {
  const names = [words.run[sides.left], words.run[sides.right]];
  return (
    <>
      {words.view.here} {formatPlace(lat, lon, locale)}
      {texts.map((text, index) => (
        <span key={index}>
          {' · '}
          {names[index]}: <strong>{text}</strong>
        </span>
      ))}
    </>
  );
}

interface DividerProps {
  readonly percent: number;
  readonly onMove: (percent: number) => void;
  readonly onRelease: () => void;
}

/** The line between the maps, for pointers; the slider serves the keyboard. */
function Divider({ percent, onMove, onRelease }: DividerProps) {
  const isHeld = useRef(false);
  return (
    <div
      class="swipe-line"
      style={{ left: `${percent}%` }}
      aria-hidden="true"
      onPointerDown={(event) => {
        isHeld.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={({ currentTarget, clientX }) => {
        const box = currentTarget.parentElement?.getBoundingClientRect();
        if (isHeld.current && box !== undefined) onMove(((clientX - box.left) / box.width) * 100);
      }}
      onPointerUp={() => {
        isHeld.current = false;
        onRelease();
      }}
    >
      <span />
    </div>
  );
}
