/** Red, green, blue and opacity, each 0 to 255. */
export type Rgba = readonly [number, number, number, number];

export interface ColourStop {
  readonly value: number;
  readonly colour: Rgba;
  /** Label in the style, or "". */
  readonly label: string;
}

/**
 * Colours of values; stops are in order of value.
 *
 * - `ramp`: linear between stops, constant beyond the ends; two stops of one value are a step, which belongs to the
 * second, at the upper end of the ramp to the first.
 * - `intervals`: a stop colours values below its own and not below the previous stop (as in GeoServer); values above
 * the last stop have no colour. With `upTo`, a stop includes its own value (as in QGIS).
 * - `values`: a stop colours exactly its value; others are not drawn.
 */
export interface ColourMap {
  readonly kind: 'ramp' | 'intervals' | 'values';
  readonly upTo?: true;
  readonly stops: readonly ColourStop[];
}

/** Parses `#rgb` or `#rrggbb` with an opacity of 0 to 1, opaque by default; undefined for any other text. */
export function parseColour(text: string, opacity = 1): Rgba | undefined {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1];
  if (hex === undefined) return undefined;
  const long = hex.length === 6 ? hex : [...hex].map((digit) => digit + digit).join('');
  const number = Number.parseInt(long, 16);
  const alpha = Math.round(Math.min(1, Math.max(0, opacity)) * 255);
  return [number >> 16, (number >> 8) & 255, number & 255, alpha];
}

/** Formats a colour as `#rrggbb`, without its opacity. */
export const hexOf = ([red, green, blue]: Rgba): string =>
  `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** Formats a colour for CSS: `#rrggbb`, with two more digits unless it is opaque. */
export function cssOf([red, green, blue, alpha]: Rgba): string {
  const parts = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Parses a colour of `cssOf`. @throws RangeError for any other text. */
export function parseCss(text: string): Rgba {
  const [, colour = '', alpha = 'ff'] = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/.exec(text) ?? [];
  const read = parseColour(colour, Number.parseInt(alpha, 16) / 255);
  if (read === undefined) throw new RangeError(`no colour: ${text}`);
  return read;
}

/** Returns the index of the class of `value`, by ascending upper bounds; bounds.length for none. */
export function classOf(value: number, upperBounds: readonly number[]): number {
  let low = 0;
  let high = upperBounds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < (upperBounds[middle] ?? Infinity)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Mixes two colours; `share` 0 is the first, 1 the second. */
export function mix(first: Rgba, second: Rgba, share: number): Rgba {
  const part = (index: 0 | 1 | 2 | 3) => Math.round(first[index] + (second[index] - first[index]) * share);
  return [part(0), part(1), part(2), part(3)];
}

/** Selects `most` items evenly, including the first and the last; none if there is no room for both. */
export function thinOut<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  if (most < 2) return [];
  const step = (items.length - 1) / (most - 1);
  const kept = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  return items.filter((_, index) => kept.has(index));
}

/** Colours of nine or ten classes, from ColorBrewer 2 (Apache-2.0) and cividis (Nuñez, Anderton and Renslow 2018, CC0). */
const ramps = {
  ylgn: '#ffffe5 #f7fcb9 #d9f0a3 #addd8e #78c679 #41ab5d #238443 #006837 #004529',
  ylorbr: '#ffffe5 #fff7bc #fee391 #fec44f #fe9929 #ec7014 #cc4c02 #993404 #662506',
  blues: '#f7fbff #deebf7 #c6dbef #9ecae1 #6baed6 #4292c6 #2171b5 #08519c #08306b',
  cividis: '#00224e #123570 #3b496c #575d6d #707173 #8a8678 #a59c74 #c3b369 #e1cc55 #fee838',
  brbg: '#8c510a #bf812d #dfc27d #f6e8c3 #f5f5f5 #c7eae5 #80cdc1 #35978f #01665e',
  puor: '#b35806 #e08214 #fdb863 #fee0b6 #f7f7f7 #d8daeb #b2abd2 #8073ac #542788',
};

export type RampName = keyof typeof ramps;
/** Sequential ramps first, then the two diverging ones. */
export const rampNames: readonly RampName[] = ['ylgn', 'ylorbr', 'blues', 'cividis', 'brbg', 'puor'];

/** Light ramps omit their palest colour, which is close to the background of the map. */
const light: readonly RampName[] = ['ylgn', 'ylorbr', 'blues'];

/** Returns the colours of a ramp for a number of classes, from low to high; the middle colour for one class. */
export function rampColours(name: RampName, classes: number): readonly Rgba[] {
  const all = ramps[name].split(' ').map((text) => parseColour(text));
  const usable = light.includes(name) ? all.slice(1) : all;
  const last = usable.length - 1;
  return Array.from({ length: classes }, (_, index) => {
    const at = classes === 1 ? last / 2 : (index * last) / (classes - 1);
    const low = usable[Math.floor(at)];
    const high = usable[Math.ceil(at)];
    if (low === undefined || high === undefined) throw new RangeError(`no colour ${at} in ${name}`);
    return mix(low, high, at - Math.floor(at));
  });
}

/** Stretches a ramp between two values. */
export function stretchedRamp(name: RampName, from: number, to: number): ColourMap {
  const colours = rampColours(name, 9);
  const stops = colours.map((colour, index) => ({
    value: from + ((to - from) * index) / (colours.length - 1),
    colour,
    label: '',
  }));
  return { kind: 'ramp', stops };
}
