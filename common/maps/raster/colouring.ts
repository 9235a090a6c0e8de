import { classOf, type ColourMap, mix, type Rgba } from '../style/colour-map.ts';

/** Colours values into pixels of four bytes, red first in memory; NaN and values without a colour stay transparent. */
export type Colouring = (values: Float64Array, pixels: Uint32Array) => void;

/** A palette of at most 256 colours, and the index of each value; 0 is transparent. */
export interface Indexing {
  readonly palette: readonly Rgba[];
  /** Fills indices of the palette; NaN and values without a colour become 0. */
  readonly fill: (values: Float64Array, indices: Uint8Array) => void;
}

const transparent: Rgba = [0, 0, 0, 0];
const maxColours = 256;

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Packs a pixel of four bytes, red first in memory. */
export function packed(red: number, green: number, blue: number, alpha: number): number {
  return isLittleEndian
    ? ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
    : ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

/**
 * Prepares the colouring of single values with at most 256 colours; undefined if there are more. A ramp becomes as many
 * shades as fit, the same number between any two stops.
 * @param opacity 0 to 1, applied to all colours.
 */
export function indexingOf(colours: ColourMap, opacity = 1): Indexing | undefined {
  const shades = fewShades(colours);
  if (shades < 1) return undefined;
  const palette: Rgba[] = [transparent];
  const known = new Map<string, number>([[transparent.join(), 0]]);
  const indexOf = ([red, green, blue, alpha]: Rgba): number => {
    const shown: Rgba = [red, green, blue, Math.round(alpha * opacity)];
    const text = shown[3] === 0 ? transparent.join() : shown.join();
    const index = known.get(text) ?? palette.length;
    if (index === palette.length) palette.push(shown);
    known.set(text, index);
    return index;
  };
  const fill = fillingOf(colours, { shades, numberOf: indexOf });
  return palette.length > maxColours ? undefined : { palette, fill };
}

/** Returns the shades between two stops of a ramp that fit into 256 colours. */
function fewShades({ kind, stops }: ColourMap): number {
  return kind === 'ramp' ? Math.floor((maxColours - 2) / Math.max(1, stops.length - 1)) - 1 : 1;
}

/** More shades than the eye can distinguish. */
const manyShades = 256;

/**
 * Prepares the colouring of single values: with the palette of `indexingOf` if there is one, as in pictures of the
 * service, otherwise with all colours.
 */
export function colouringOf(colours: ColourMap): Colouring {
  return fillingOf(colours, {
    shades: indexingOf(colours) === undefined ? manyShades : fewShades(colours),
    numberOf: ([red, green, blue, alpha]) => (alpha === 0 ? 0 : packed(red, green, blue, alpha)),
  });
}

type Filling = (values: Float64Array, numbers: Uint8Array | Uint32Array) => void;

/** Conversion of colours to numbers, and the number of shades between two stops of a ramp. */
interface Numbering {
  readonly numberOf: (colour: Rgba) => number;
  readonly shades: number;
}

/** Prepares the numbering of values by colour; 0 for NaN and values without a colour. */
function fillingOf({ kind, stops }: ColourMap, numbering: Numbering): Filling {
  const values = stops.map(({ value }) => value);
  if (kind === 'ramp') return byRamp(stops, values, numbering);
  const numbers = stops.map(({ colour }) => numbering.numberOf(colour));
  return kind === 'values' ? byValue(values, numbers) : byInterval(values, numbers);
}

function byInterval(bounds: readonly number[], numbers: readonly number[]): Filling {
  return (from, to) => {
    for (let at = 0; at < to.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      to[at] = Number.isNaN(value) ? 0 : (numbers[classOf(value, bounds)] ?? 0);
    }
  };
}

/** First integer of a lookup table, and its length. */
const listFrom = -32_768;
const listLength = 98_304;

function byValue(values: readonly number[], numbers: readonly number[]): Filling {
  const list = new Uint32Array(listLength);
  const others = new Map<number, number>();
  for (const [at, value] of values.entries()) {
    const place = value - listFrom;
    if (Number.isInteger(place) && place >= 0 && place < listLength) list[place] = numbers[at] ?? 0;
    else others.set(value, numbers[at] ?? 0);
  }
  return (from, to) => {
    for (let at = 0; at < to.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      // A value that is not an index gives undefined: fractions, NaN, and values outside the table.
      to[at] = list[value - listFrom] ?? others.get(value) ?? 0;
    }
  };
}

function byRamp(
  stops: ColourMap['stops'],
  bounds: readonly number[],
  { numberOf, shades }: Numbering,
): Filling {
  const last = stops.length - 1;
  const tables = stops.map(({ colour }, index) => {
    const next = stops[index + 1]?.colour ?? colour;
    return Uint32Array.from({ length: index === last ? 1 : shades + 1 }, (_, shade) =>
      numberOf(mix(colour, next, shade / shades)),
    );
  });
  const below = tables[0]?.[0] ?? 0;
  return (from, to) => {
    // Neighbouring pixels are mostly in the same interval.
    let [table, start, end, scale] = [tables[0], Number.NaN, Number.NaN, 0];
    for (let at = 0; at < to.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      if (Number.isNaN(value)) {
        to[at] = 0;
        continue;
      }
      if (!(value >= start && value < end)) {
        const part = classOf(value, bounds) - 1;
        if (part < 0) {
          to[at] = below;
          continue;
        }
        table = tables[part];
        [start, end] = [bounds[part] ?? -Infinity, bounds[part + 1] ?? Infinity];
        scale = part === last ? 0 : shades / (end - start);
      }
      to[at] = table?.[Math.round((value - start) * scale) || 0] ?? 0;
    }
  };
}
