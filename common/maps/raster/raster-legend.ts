import { nameOfStop } from '../legend/labels.ts';
import { readRangeLabel } from '../legend/range-label.ts';
import type { LegendModel } from '../legend/model.ts';
import { type ColourMap, type ColourStop, mix, type Rgba } from '../style/colour-map.ts';
import type { Paint } from './paint.ts';
import { type BandValues, sampleOf } from './raw-colours.ts';
import type { Spread } from './stretch.ts';

interface LegendFacts {
  /** Statistics of the drawn band; undefined if no value is valid. */
  readonly spread: Spread | undefined;
  readonly band: BandValues;
  /** Opacity in the style, 0 to 1. */
  readonly opacity: number;
}

/** Returns whether a legend depends on the statistics: which classes occur, or where a transparent end of a ramp starts. */
export function legendNeedsSpread(paint: Paint): boolean {
  if (paint.kind === 'bands') return false;
  const { kind, stops } = paint.colours;
  return (
    kind === 'values' || (kind === 'ramp' && [stops[0], stops.at(-1)].some((stop) => stop?.colour[3] === 0))
  );
}

/**
 * Returns the legend of a raster; classes have the index of their stop. If few values occur, classes of other values
 * without a label are hidden.
 */
export function legendOf(paint: Paint, { spread, band, opacity }: LegendFacts): LegendModel {
  if (paint.kind === 'bands') return { kind: 'colours' };
  const { kind, stops, upTo } = paint.colours;
  const shown = ([red, green, blue, alpha]: Rgba): Rgba => [red, green, blue, Math.round(alpha * opacity)];
  if (kind === 'ramp') {
    const seen = seenStops(stops, spread);
    const named = seen.map(({ colour, ...stop }) => {
      const label = nameOfStop(stop);
      return { value: stop.value, colour: shown(colour), ...(label === undefined ? {} : { label }) };
    });
    return { kind: 'ramp', stops: named };
  }
  const present = kind === 'values' && spread?.classes !== undefined ? new Set(spread.classes) : undefined;
  const entries = stops.map(({ value, colour, label }, index) => {
    const range = { from: kind === 'values' ? value : (stops[index - 1]?.value ?? -Infinity), to: value };
    const own = kind === 'intervals' ? readRangeLabel(label) : undefined;
    const named =
      label === '' || own !== undefined
        ? { label: { kind: 'range', ...range, ...(upTo === true ? { upTo } : {}), ...own } as const }
        : { label: { kind: 'text', text: label } as const, range };
    // Transparent classes are not part of the picture, nor are colours of a table that no pixel has.
    const isShown =
      colour[3] > 0 && (label !== '' || present === undefined || present.has(sampleOf(value, band)));
    return { colour: shown(colour), ...named, sign: 'area' as const, isHidden: !isShown };
  });
  return { kind: 'classes', entries };
}

/**
 * Returns the stops of the visible part of a ramp. Colours fade towards a transparent end: the legend shows the fading
 * as far as values reach, and omits a stop for no data that is far from the values.
 */
function seenStops(stops: ColourMap['stops'], spread: Spread | undefined): readonly ColourStop[] {
  const first = stops.findIndex(({ colour }) => colour[3] > 0);
  const last = stops.findLastIndex(({ colour }) => colour[3] > 0);
  if (first === -1) return [];
  const [low, high] = [
    fadingStop(stops[first], stops[first - 1], spread?.least),
    fadingStop(stops[last], stops[last + 1], spread?.greatest),
  ];
  return [...low, ...stops.slice(first, last + 1), ...high];
}

/**
 * Returns the end of the fading from a visible stop to a transparent one: that stop, or the last value before it; none
 * if no value is between.
 */
function fadingStop(
  visible: ColourStop | undefined,
  clear: ColourStop | undefined,
  end: number | undefined,
): readonly ColourStop[] {
  if (visible === undefined || clear === undefined || visible.value === clear.value) return [];
  if (end === undefined) return [clear];
  const share = (end - visible.value) / (clear.value - visible.value);
  if (!(share > 0)) return [];
  return [share >= 1 ? clear : { value: end, colour: mix(visible.colour, clear.colour, share), label: '' }];
}
