import { breaksOf } from '../../../common/maps/style/breaks.ts';
import { parseColour, type Rgba, rampColours } from '../../../common/maps/style/colour-map.ts';
import { unorderedColours } from '../../../common/maps/units/choropleth.ts';
import type { Choice } from './choice.ts';
import type { Distribution } from './distribution.ts';

/** What a choice makes of the values that there are. */
export type StyleDrawing =
  /** A class reaches from its lower bound, inclusive, to its upper one, exclusive; the first and the last have no end. */
  | {
      readonly kind: 'classes';
      readonly bounds: readonly number[];
      readonly colours: readonly Rgba[];
      /** So many classes were asked for. */
      readonly wanted: number;
      /** The value of all places, where there is one class. */
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

/** Makes classes, a ramp or single values of a choice. */
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

/** Each value, or each word, in a colour of its own. */
export function valuesOf(values: readonly (number | string)[], colours: readonly Rgba[]): StyleDrawing {
  return {
    kind: 'values',
    entries: values.map((value, index) => ({ value, colour: colours[index] ?? ([0, 0, 0, 255] as const) })),
  };
}

/** Colours that have no order: so many there are. */
export const unordered: readonly Rgba[] = unorderedColours.map((text) => parseColour(text) ?? [0, 0, 0, 255]);

/** The colours that a choice has for single values: without an order unless a ramp is chosen, or there are too many. */
export function coloursOfValues({ ramp, isReversed }: Choice, count: number): readonly Rgba[] {
  return ramp === 'different' && count <= unordered.length
    ? unordered
    : coloursOfRamp({ ramp, isReversed }, count);
}

/** The colours of a ramp for so many classes. */
export function coloursOfRamp(
  { ramp, isReversed }: Pick<Choice, 'ramp' | 'isReversed'>,
  count: number,
): readonly Rgba[] {
  const found = rampColours(ramp === 'different' ? 'ylgn' : ramp, count);
  return isReversed ? found.toReversed() : found;
}

/** Where a ramp begins and ends; where all values are one, it has a place of its own in the middle. */
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

/** Bounds by the method of a choice, rounded as far as classes stay what they are; fewer where the values allow no more. */
export function suggestedBreaks(choice: Choice, distribution: Distribution): readonly number[] {
  const { method, classes } = choice;
  const { values, least, greatest, isWhole } = distribution;
  const exact = breaksOf(method === 'own' ? 'quantiles' : method, values, classes);
  const unit = 10 ** (Math.floor(Math.log10((greatest - least) / classes)) - 2);
  // A class begins with its bound, and of whole values with the next one.
  const tidy = (bound: number) =>
    isWhole && unit <= 1 ? Math.ceil(bound) : Number((Math.round(bound / unit) * unit).toPrecision(15));
  const tidied = exact.map(tidy).filter((bound) => bound > least && bound <= greatest);
  const apart = [...new Set(tidied)];
  return isWhole || apart.length === exact.length ? apart : exact;
}
