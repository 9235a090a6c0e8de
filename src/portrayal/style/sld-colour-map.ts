import { constantText } from './constants.ts';
import { type ColourMap, type ColourStop, parseColour, type Rgba } from './colour-map.ts';
import { literalOf, quantityOf, shortText } from './sld-literal.ts';
import { thinOut } from './thin-out.ts';
import type { Note, Undrawn } from './undrawn.ts';
import { childOf, type Element } from './xml-tree.ts';

const kinds: Readonly<Record<string, ColourMap['kind']>> = {
  ramp: 'ramp',
  intervals: 'intervals',
  values: 'values',
};

const maxStops = 4_096;

/** A stop whose number and colour have not been judged yet. */
interface RawStop {
  readonly value: number;
  readonly colour: Rgba | undefined;
  readonly label: string;
  /** True when it has to be computed, of which a note has been taken. */
  readonly isComputed: boolean;
}

/**
 * Reads a ColorMap of entries (SLD 1.0), or of Categorize, Interpolate or Recode (SE 1.1). Undefined without usable
 * entries. Stops come in ascending order, each value once, at most `maxStops`; only the last of intervals may be infinite.
 */
export function readColourMap(element: Element, note: Note): ColourMap | undefined {
  const { kind, stops } = readStops(element, note);
  const tidied = tidy(kind, stops, note);
  if (tidied.length === 0) {
    if (!stops.some(({ isComputed }) => isComputed)) note('colours');
    return undefined;
  }
  return { kind, stops: limitStops(kind, tidied, note) };
}

/** A ramp that is thinned out ends where it did; others lose their last stops. */
function limitStops(
  kind: ColourMap['kind'],
  stops: readonly ColourStop[],
  note: Note,
): readonly ColourStop[] {
  if (stops.length <= maxStops) return stops;
  note('stops_beyond_limit');
  return kind === 'ramp' ? thinOut(stops, maxStops) : stops.slice(0, maxStops);
}

function readStops(element: Element, note: Note): { kind: ColourMap['kind']; stops: readonly RawStop[] } {
  const categorize = childOf(element, 'Categorize');
  if (categorize !== undefined) return { kind: 'intervals', stops: readCategories(categorize, note) };
  const interpolate = childOf(element, 'Interpolate');
  if (interpolate !== undefined) {
    if ((interpolate.attributes['mode'] ?? 'linear') !== 'linear') note('interpolation');
    return { kind: 'ramp', stops: readPoints(interpolate, 'InterpolationPoint', note) };
  }
  const recode = childOf(element, 'Recode');
  if (recode !== undefined) return { kind: 'values', stops: readPoints(recode, 'MapItem', note) };
  const named = kinds[(constantText(element.attributes['type'] ?? 'ramp') ?? '').toLowerCase()];
  if (named === undefined) note('interpolation');
  return { kind: named ?? 'ramp', stops: readEntries(element, note) };
}

function tidy(kind: ColourMap['kind'], stops: readonly RawStop[], note: Note): readonly ColourStop[] {
  const usable = stops.flatMap(({ value, colour, label, isComputed }) => {
    if (!(Number.isFinite(value) || (kind === 'intervals' && value === Infinity))) {
      if (!isComputed) note('quantities');
      return [];
    }
    if (colour !== undefined) return [{ value, colour, label }];
    if (!isComputed) note('colours');
    // Without its class, an interval would take the colour of the next.
    return kind === 'intervals' ? [{ value, colour: [0, 0, 0, 0] as const, label }] : [];
  });
  const sorted = usable.toSorted((first, second) =>
    first.value < second.value ? -1 : +(first.value > second.value),
  );
  const different = sorted.filter(({ value }, index) => value !== sorted[index - 1]?.value);
  if (different.length < sorted.length) note('quantities');
  return different;
}

function readEntries(element: Element, note: Note): readonly RawStop[] {
  return element.children.flatMap(({ name, attributes }) => {
    if (name !== 'ColorMapEntry') return [];
    const seen = watched(note);
    const read = (key: string) => {
      const text = constantText(attributes[key] ?? '');
      if (text === undefined) seen.note('expressions');
      return text ?? '';
    };
    const opacity = read('opacity');
    const share = opacity === '' ? 1 : Number(opacity);
    if (!Number.isFinite(share)) note('colours');
    const colour = parseColour(read('color'), Number.isFinite(share) ? share : 1);
    const value = quantityOf(read('quantity'));
    return [
      { value, colour, label: shortText(attributes['label'] ?? '', note), isComputed: seen.isComputed() },
    ];
  });
}

/** Value, threshold, value, threshold, …, value: the last value is for all above. */
function readCategories(categorize: Element, note: Note): readonly RawStop[] {
  // A threshold belongs to the class above it, unless the style says otherwise.
  const isBelow = categorize.attributes['thresholdsBelongTo'] === 'preceding';
  const stops: RawStop[] = [];
  let colour: Rgba | undefined;
  const seen = watched(note);
  for (const part of categorize.children) {
    if (part.name === 'Value') {
      colour = parseColour(literalOf(part, seen.note) ?? '');
    } else if (part.name === 'Threshold') {
      const value = quantityOf(literalOf(part, seen.note) ?? '');
      const isComputed = seen.isComputed();
      stops.push({ value: isBelow ? nextAbove(value) : value, colour, label: '', isComputed });
    }
  }
  return [...stops, { value: Infinity, colour, label: '', isComputed: seen.isComputed() }];
}

function readPoints(
  element: Element,
  name: 'InterpolationPoint' | 'MapItem',
  note: Note,
): readonly RawStop[] {
  return element.children.flatMap((point) => {
    if (point.name !== name) return [];
    const seen = watched(note);
    const value = quantityOf(literalOf(childOf(point, 'Data'), seen.note) ?? '');
    const colour = parseColour(literalOf(childOf(point, 'Value'), seen.note) ?? '');
    return [{ value, colour, label: '', isComputed: seen.isComputed() }];
  });
}

/** Passes notes on, and knows whether one was of something that has to be computed. */
function watched(note: Note) {
  let isComputed = false;
  return {
    note: (part: Undrawn) => {
      if (part === 'expressions') isComputed = true;
      note(part);
    },
    isComputed: () => isComputed,
  };
}

/** The next number of 64 bits: what is below it is at most `value`. */
function nextAbove(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  const number = Float64Array.of(value);
  const bits = new BigInt64Array(number.buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return number[0] ?? value;
}
