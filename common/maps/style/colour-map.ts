/** Red, green, blue and opacity, each 0 to 255. */
export type Rgba = readonly [number, number, number, number];

export interface ColourStop {
  readonly value: number;
  readonly colour: Rgba;
  /** Label in the style, or "". */
  readonly label: string;
}

/**
 * How values become colours; stops are in order of value.
 *
 * - `ramp`: between two stops their mixture, beyond the ends the colour of the end; two stops of one value are a step, which belongs
 *   to the second, and at the upper end of the ramp to the first.
 * - `intervals`: a stop colours what is below its value and not below the stop before (as in GeoServer); above the last nothing.
 *   With `upTo`, its value belongs to it as well (as in QGIS).
 * - `values`: a stop colours its very value, others are not drawn.
 */
export interface ColourMap {
  readonly kind: 'ramp' | 'intervals' | 'values';
  readonly upTo?: true;
  readonly stops: readonly ColourStop[];
}

/** Reads `#rgb` or `#rrggbb`, opaque unless an opacity of 0 to 1 is given. Anything else is undefined. */
export function parseColour(text: string, opacity = 1): Rgba | undefined {
  const hex = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1];
  if (hex === undefined) return undefined;
  const long = hex.length === 6 ? hex : [...hex].map((digit) => digit + digit).join('');
  const number = Number.parseInt(long, 16);
  const alpha = Math.round(Math.min(1, Math.max(0, opacity)) * 255);
  return [number >> 16, (number >> 8) & 255, number & 255, alpha];
}

/** Names a colour for CSS: `#rrggbb`, with two more digits where it is not opaque. */
export function cssOf([red, green, blue, alpha]: Rgba): string {
  const parts = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Reads what `cssOf` has written. @throws RangeError for anything else. */
export function parseCss(text: string): Rgba {
  const [, colour = '', alpha = 'ff'] = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/.exec(text) ?? [];
  const read = parseColour(colour, Number.parseInt(alpha, 16) / 255);
  if (read === undefined) throw new RangeError(`no colour: ${text}`);
  return read;
}

/** The index of the class that `value` is in, by upper bounds in ascending order; bounds.length when it is in none. */
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

/** So many of some items, evenly, the first and the last among them; none where there is no room for both. */
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
/** Sequential ramps first, then the two that diverge from a middle. */
export const rampNames: readonly RampName[] = ['ylgn', 'ylorbr', 'blues', 'cividis', 'brbg', 'puor'];

/** Light ramps leave out their palest colour, which the paper of the map has almost. */
const light: readonly RampName[] = ['ylgn', 'ylorbr', 'blues'];

/** The colours of a ramp for so many classes, from low to high; for one class its middle. */
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

/** A ramp stretched from one value to another, in the units of the values. */
export function stretchedRamp(name: RampName, from: number, to: number): ColourMap {
  const colours = rampColours(name, 9);
  const stops = colours.map((colour, index) => ({
    value: from + ((to - from) * index) / (colours.length - 1),
    colour,
    label: '',
  }));
  return { kind: 'ramp', stops };
}
