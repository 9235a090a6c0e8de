import { isDoubtful, withPoint, literalOf, quantityOf, shortText } from './sld-literal.ts';
import { constantText } from './constants.ts';
import { type ColourMap, type ColourStop, parseColour, type Rgba, thinOut } from './colour-map.ts';
import type { Note, Undrawn } from './undrawn.ts';
import { childOf, type Element, descendantsOf } from './xml-tree.ts';

const kinds: Readonly<Record<string, ColourMap['kind']>> = {
  ramp: 'ramp',
  intervals: 'intervals',
  values: 'values',
};

const maxStops = 4_096;

/** A colour map with unparsed numbers and colours. */
interface RawMap {
  readonly kind: ColourMap['kind'];
  readonly stops: readonly RawStop[];
  readonly upTo?: boolean;
}

interface RawStop {
  /** Number as in the file. */
  readonly quantity: string;
  readonly colour: Rgba | undefined;
  readonly label: string;
  /** True for an expression, which has been noted. */
  readonly isComputed: boolean;
}

/**
 * Parses a ColorMap of entries (SLD 1.0), or of Categorize, Interpolate or Recode (SE 1.1). Undefined without usable
 * entries. Stops are ascending, each value once, or twice for a step of a ramp, at most `maxStops`; only the last
 * interval may be unbounded. @param isOfQgis true for a style that QGIS has written.
 */
export function readColourMap(element: Element, note: Note, isOfQgis: boolean): ColourMap | undefined {
  const { kind, stops, upTo } = readStops(element, note, isOfQgis);
  const tidied = tidy(kind, stops, note);
  if (tidied.length > 0)
    return { kind, ...(upTo === true ? { upTo } : {}), stops: limitStops(kind, tidied, note) };
  // QGIS writes an empty map beside greys.
  if (stops.length === 0 && element.children.length > 0) note('colours');
  return undefined;
}

/** Limits the number of stops: a ramp keeps both ends, any other map loses its last stops. */
function limitStops(
  kind: ColourMap['kind'],
  stops: readonly ColourStop[],
  note: Note,
): readonly ColourStop[] {
  if (stops.length <= maxStops) return stops;
  note('stops_beyond_limit');
  return kind === 'ramp' ? thinOut(stops, maxStops) : stops.slice(0, maxStops);
}

function readStops(element: Element, note: Note, isOfQgis: boolean): RawMap {
  const categorize = childOf(element, 'Categorize');
  if (categorize !== undefined) {
    // A threshold belongs to the class above it, unless the style says otherwise.
    const upTo = categorize.attributes['thresholdsBelongTo'] === 'preceding';
    return { kind: 'intervals', stops: readCategories(categorize, note), upTo };
  }
  const interpolate = childOf(element, 'Interpolate');
  if (interpolate !== undefined) {
    if ((interpolate.attributes['mode'] ?? 'linear') !== 'linear') note('interpolation');
    return { kind: 'ramp', stops: readPoints(interpolate, 'InterpolationPoint', note) };
  }
  const recode = childOf(element, 'Recode');
  if (recode !== undefined) return { kind: 'values', stops: readPoints(recode, 'MapItem', note) };
  const named = kinds[(constantText(element.attributes['type'] ?? 'ramp') ?? '').toLowerCase()];
  if (named === undefined) note('interpolation');
  const stops = readEntries(element, note);
  const upTo = named === 'intervals' && reachesItsBound(stops, isOfQgis);
  return { kind: named ?? 'ramp', stops, upTo };
}

function tidy(kind: ColourMap['kind'], stops: readonly RawStop[], note: Note): readonly ColourStop[] {
  // One unambiguous decimal comma decides for all numbers.
  const areDecimal = stops.some(({ quantity }) => withPoint(quantity) !== undefined);
  const usable = stops.flatMap(({ quantity, colour, label, isComputed }) => {
    const value = quantityOf(withPoint(quantity, areDecimal) ?? quantity);
    const name = entryLabel(quantity, label);
    if (!(Number.isFinite(value) || (kind === 'intervals' && value === Infinity))) {
      if (!isComputed) note(isDoubtful(quantity) ? 'decimal_commas' : 'quantities', name);
      return [];
    }
    if (colour !== undefined) return [{ value, colour, label }];
    if (!isComputed) note('colours', name);
    // Without a class of its own, an interval would take the colour of the next one.
    return kind === 'intervals' ? [{ value, colour: [0, 0, 0, 0] as const, label }] : [];
  });
  const sorted = usable.toSorted((first, second) =>
    first.value < second.value ? -1 : +(first.value > second.value),
  );
  const firsts = sorted.filter(({ value }, index) => value !== sorted[index - 1]?.value);
  const different = kind === 'ramp' ? withSteps(sorted, firsts) : firsts;
  for (const { value, label } of sorted.filter((stop) => !different.includes(stop)))
    note('quantities', entryLabel(String(value), label));
  return different;
}

/** Returns the display name of an entry. */
const entryLabel = (quantity: string, label: string): string => label.trim() || quantity.trim();

/** Keeps the first and the last of several ramp stops with one value, if they differ. */
function withSteps(sorted: readonly ColourStop[], firsts: readonly ColourStop[]): readonly ColourStop[] {
  const lasts = new Map(sorted.map((stop) => [stop.value, stop]));
  return firsts.flatMap((first) => {
    const last = lasts.get(first.value);
    return last === undefined || last.colour.join() === first.colour.join() ? first : [first, last];
  });
}

function readEntries(element: Element, note: Note): readonly RawStop[] {
  return element.children.flatMap(({ name, attributes }) => {
    if (name !== 'ColorMapEntry') return [];
    const seen = watched(note);
    const entry = entryLabel(attributes['quantity'] ?? '', attributes['label'] ?? '');
    const read = (key: string) => {
      const text = constantText(attributes[key] ?? '');
      if (text === undefined) seen.note('expressions', entry);
      return text ?? '';
    };
    const opacity = read('opacity');
    const share = opacity === '' ? 1 : Number(withPoint(opacity) ?? opacity);
    if (!Number.isFinite(share)) note('colours', entry);
    const colour = parseColour(read('color'), Number.isFinite(share) ? share : 1);
    const quantity = read('quantity');
    const label = shortText(attributes['label'] ?? '', note);
    return [{ quantity, colour, label, isComputed: seen.isComputed() }];
  });
}

/** Value, threshold, value, threshold, …, value: the last value applies to everything above. */
function readCategories(categorize: Element, note: Note): readonly RawStop[] {
  const stops: RawStop[] = [];
  let colour: Rgba | undefined;
  const seen = watched(note);
  for (const part of categorize.children) {
    if (part.name === 'Value') {
      colour = parseColour(literalOf(part, seen.note) ?? '');
    } else if (part.name === 'Threshold') {
      const quantity = literalOf(part, seen.note) ?? '';
      stops.push({ quantity, colour, label: '', isComputed: seen.isComputed() });
    }
  }
  return [...stops, { quantity: 'inf', colour, label: '', isComputed: seen.isComputed() }];
}

function readPoints(
  element: Element,
  name: 'InterpolationPoint' | 'MapItem',
  note: Note,
): readonly RawStop[] {
  return element.children.flatMap((point) => {
    if (point.name !== name) return [];
    const seen = watched(note);
    const quantity = literalOf(childOf(point, 'Data'), seen.note) ?? '';
    const colour = parseColour(literalOf(childOf(point, 'Value'), seen.note) ?? '');
    return [{ quantity, colour, label: '', isComputed: seen.isComputed() }];
  });
}

/** Passes notes on, and records whether one was about an expression. */
function watched(note: Note) {
  let isComputed = false;
  return {
    note: (part: Undrawn, entry?: string) => {
      if (part === 'expressions') isComputed = true;
      note(part, entry);
    },
    isComputed: () => isComputed,
  };
}

/** A label that states whether its bound is included, such as `<= 50`. */
const bound = /^\s*(<=|=<|≤|⩽|<)\s*([+-]?[\d.,]+(?:e[+-]?\d+)?)/i;

/**
 * Returns whether an interval includes its quantity: according to its labels, or else to the program that has written
 * the style. GeoServer leaves it to the next interval; QGIS includes it, and is the only one that writes `inf`.
 */
function reachesItsBound(intervals: readonly RawStop[], isOfQgis: boolean): boolean {
  for (const { quantity, label } of intervals) {
    const [, sign, number] = bound.exec(label) ?? [];
    if (sign !== undefined && number !== undefined && quantityOf(number) === quantityOf(quantity))
      return sign !== '<';
  }
  return isOfQgis || intervals.some(({ quantity }) => /^\s*\+?inf\s*$/i.test(quantity));
}

/**
 * Returns whether QGIS has written the style of a raster: it writes a layer of empty constraints, as GeoTools does too,
 * but GeoTools names each FeatureTypeStyle.
 */
export function isOfQgis(root: Element): boolean {
  return root.children.some((layer) => {
    const constraint = childOf(childOf(layer, 'LayerFeatureConstraints'), 'FeatureTypeConstraint');
    return (
      layer.name === 'UserLayer' &&
      constraint?.children.length === 0 &&
      descendantsOf(layer, 'FeatureTypeStyle').every((style) => childOf(style, 'Name') === undefined)
    );
  });
}
