import { classOf, type ColourMap, mix, type Rgba } from '../style/colour-map.ts';

/** Colours values into pixels of four bytes, red first in memory; what is NaN or has no colour stays transparent. */
export type Colouring = (values: Float64Array, pixels: Uint32Array) => void;

/** Whole values from here on, so many of them, are looked up in a list. */
const listFrom = -32_768;
const listLength = 98_304;

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

function pack([red, green, blue, alpha]: Rgba): number {
  return isLittleEndian
    ? ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
    : ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

/** Prepares the colouring of single values; with `only`, that class alone (its index among the stops) is drawn. */
export function colouringOf({ kind, stops }: ColourMap, only?: number): Colouring {
  const packed = Uint32Array.from(stops, ({ colour }, index) =>
    only === undefined || only === index ? pack(colour) : 0,
  );
  const values = stops.map(({ value }) => value);
  switch (kind) {
    case 'values':
      return byValue(values, packed);
    case 'intervals':
      return (from, pixels) => {
        for (let at = 0; at < pixels.length; at += 1) {
          const value = from[at] ?? Number.NaN;
          pixels[at] = Number.isNaN(value) ? 0 : (packed[classOf(value, values)] ?? 0);
        }
      };
    default:
      return byRamp(stops);
  }
}

function byValue(values: readonly number[], packed: Uint32Array): Colouring {
  const list = new Uint32Array(listLength);
  const others = new Map<number, number>();
  for (const [index, value] of values.entries()) {
    const colour = packed[index] ?? 0;
    const place = value - listFrom;
    if (Number.isInteger(place) && place >= 0 && place < listLength) list[place] = colour;
    else others.set(value, colour);
  }
  return (from, pixels) => {
    for (let at = 0; at < pixels.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      // A place that is no index gives undefined: fractions, NaN and what is out of the list.
      pixels[at] = list[value - listFrom] ?? others.get(value) ?? 0;
    }
  };
}

/** Colours between two stops; as many as the eye can tell, computed once. */
const shades = 256;

function byRamp(stops: ColourMap['stops']): Colouring {
  const bounds = stops.map(({ value }) => value);
  const first = stops[0];
  const below = first === undefined ? 0 : pack(first.colour);
  // The colours of each part from one stop to the next, one part after the other.
  const list = Uint32Array.from(
    stops.flatMap(({ colour }, index) => {
      const next = stops[index + 1]?.colour ?? colour;
      return Array.from({ length: shades + 1 }, (_, shade) => pack(mix(colour, next, shade / shades)));
    }),
  );
  return (from, pixels) => {
    // Neighbours are mostly in the same part.
    let [part, start, end] = [-1, Number.NaN, Number.NaN];
    for (let at = 0; at < pixels.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      if (Number.isNaN(value)) {
        pixels[at] = 0;
        continue;
      }
      if (!(value >= start && value < end)) {
        part = classOf(value, bounds) - 1;
        [start, end] = [bounds[part] ?? -Infinity, bounds[part + 1] ?? Infinity];
      }
      if (part < 0) {
        pixels[at] = below;
        continue;
      }
      const shade = Math.round(((value - start) / (end - start)) * shades);
      pixels[at] = list[part * (shades + 1) + shade] ?? 0;
    }
  };
}

/** How three bands are meant. */
export interface ThreeBands {
  readonly meaning: 'rgb' | 'ycbcr';
  /** The range of a sample that becomes 0 to 255. */
  readonly from: number;
  readonly to: number;
}

/** Colours three bands, and a fourth that says how opaque a pixel is; a pixel that is NaN in each is transparent. */
export function colourBands(
  bands: readonly Float64Array[],
  { meaning, from, to }: ThreeBands,
  pixels: Uint32Array,
): void {
  const [first, second, third, opacity] = bands;
  const scale = 255 / (to - from);
  const byte = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  for (let at = 0; at < pixels.length; at += 1) {
    const [a, b, c] = [first?.[at] ?? Number.NaN, second?.[at] ?? Number.NaN, third?.[at] ?? Number.NaN];
    const alpha = opacity === undefined ? 255 : byte(((opacity[at] ?? 0) - from) * scale);
    if ((Number.isNaN(a) && Number.isNaN(b) && Number.isNaN(c)) || !(alpha > 0)) {
      pixels[at] = 0;
      continue;
    }
    const [x, y, z] = [(a - from) * scale || 0, (b - from) * scale || 0, (c - from) * scale || 0];
    pixels[at] =
      meaning === 'rgb'
        ? pack([byte(x), byte(y), byte(z), alpha])
        : pack([
            byte(x + 1.402 * (z - 128)),
            byte(x - 0.344136 * (y - 128) - 0.714136 * (z - 128)),
            byte(x + 1.772 * (y - 128)),
            alpha,
          ]);
  }
}
