import { breaksOf } from '../../../common/maps/style/breaks.ts';
import { parseColour, type Rgba, rampColours } from '../../../common/maps/style/colour-map.ts';
import { unorderedColours } from '../../../common/maps/units/choropleth.ts';
import type { Choice } from './choice.ts';
import type { Distribution } from './distribution.ts';

/** The drawing of the values by a choice. */
export type StyleDrawing =
  /** A class extends from its lower bound, inclusive, to its upper one, exclusive; the first and the last class are open-ended. */
  | {
      readonly kind: 'classes';
      readonly bounds: readonly number[];
      readonly colours: readonly Rgba[];
      /** Number of requested classes. */
      readonly wanted: number;
      /** The value of all places, if there is one class. */
      readonly only: number | undefined;
    }
  | {
      readonly kind: 'ramp';
      readonly stops: readonly { readonly value: number; readonly colour: Rgba }[];
    }
  | {
      readonly kind: 'values';
      readonly entries: readonly { readonly value: number | string; readonly colour: Rgba }[];
    };

const stopsOfRamp = 9;

/** Makes classes, a ramp or single values from a choice. */
export function drawingOf(choice: Choice, distribution: Distribution): StyleDrawing {
  const colours = (count: number) => coloursOfRamp(choice, count);
  switch (choice.kind) {
    case 'values': {
      const values = distribution.distinct ?? [];
      return valuesOf(values, coloursOfValues(choice, values.length));
    }
    case 'ramp': {
      const [from, to] = rangeOf(choice, distribution);
      const shades = colours(stopsOfRamp);
      return {
        kind: 'ramp',
        stops: shades.map((colour, index) => ({
          value: from + ((to - from) * index) / (stopsOfRamp - 1),
          colour,
        })),
      };
    }
    default: {
      const bounds = choice.method === 'own' ? choice.breaks : suggestedBreaks(choice, distribution);
      const wanted = choice.method === 'own' ? bounds.length + 1 : choice.classes;
      return {
        kind: 'classes',
        bounds,
        colours: colours(bounds.length + 1),
        wanted,
        only: bounds.length === 0 ? distribution.least : undefined,
      };
    }
  }
}

/** Returns a drawing with a separate colour for each value or word. */
export function valuesOf(values: readonly (number | string)[], colours: readonly Rgba[]): StyleDrawing {
  return {
    kind: 'values',
    entries: values.map((value, index) => ({ value, colour: colours[index] ?? ([0, 0, 0, 255] as const) })),
  };
}

/** Unordered colours; their number is limited. */
export const unordered: readonly Rgba[] = unorderedColours.map((text) => parseColour(text) ?? [0, 0, 0, 255]);

/** The colours of a choice for single values: unordered, unless a ramp is chosen or there are too many values. */
export function coloursOfValues({ ramp, isReversed }: Choice, count: number): readonly Rgba[] {
  return ramp === 'different' && count <= unordered.length
    ? unordered
    : coloursOfRamp({ ramp, isReversed }, count);
}

/** The colours of a ramp for a number of classes. */
export function coloursOfRamp(
  { ramp, isReversed }: Pick<Choice, 'ramp' | 'isReversed'>,
  count: number,
): readonly Rgba[] {
  const found = rampColours(ramp === 'different' ? 'ylgn' : ramp, count);
  return isReversed ? found.toReversed() : found;
}

/** The ends of a ramp; if all values are equal, their value is in the middle. */
export function rangeOf(
  { from, to }: Choice,
  { low, high, least, greatest }: Distribution,
): readonly [number, number] {
  const [first, last] = low < high ? [low, high] : [least, greatest];
  const [start, end] = [from ?? first, to ?? last];
  if (start < end) return [start, end];
  const room = Math.max(Math.abs(start), 1e-9) / 2;
  return [start - room, start + room];
}

/** Bounds by the method of a choice, rounded without changing the classes; fewer if the values do not allow more. */
export function suggestedBreaks(choice: Choice, distribution: Distribution): readonly number[] {
  const { method, classes } = choice;
  const { values, least, greatest, isWhole } = distribution;
  const exact = breaksOf(method === 'own' ? 'quantiles' : method, values, classes);
  const unit = 10 ** (Math.floor(Math.log10((greatest - least) / classes)) - 2);
  // A class includes its lower bound, so a bound between whole values can be rounded up to the next one.
  const round = (bound: number) =>
    isWhole && unit <= 1 ? Math.ceil(bound) : Number((Math.round(bound / unit) * unit).toPrecision(15));
  const rounded = exact.map(round).filter((bound) => bound > least && bound <= greatest);
  const distinct = [...new Set(rounded)];
  return isWhole || distinct.length === exact.length ? distinct : exact;
}
