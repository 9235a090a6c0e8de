import { classOf, type ColourMap, mix, type Rgba } from '../style/colour-map.ts';
import { indexingOf } from './indexed.ts';

/** Colours values into pixels of four bytes, red first in memory; what is NaN or has no colour stays transparent. */
export type Colouring = (values: Float64Array, pixels: Uint32Array) => void;

/** Whole values from here on, so many of them, are looked up in a list. */
const listFrom = -32_768;
const listLength = 98_304;

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

const pack = ([red, green, blue, alpha]: Rgba): number => packed(red, green, blue, alpha);

/** A pixel of four bytes, red first in memory. */
export function packed(red: number, green: number, blue: number, alpha: number): number {
  return isLittleEndian
    ? ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
    : ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

/** Prepares the colouring of single samples: by at most 256 colours, as pictures of the service have, where these are enough. */
export function colouringOf(colours: ColourMap): Colouring {
  const indexing = indexingOf(colours);
  if (indexing === undefined) return manyColouringOf(colours);
  const palette = Uint32Array.from(indexing.palette, pack);
  let indices = new Uint8Array(0);
  return (samples, pixels) => {
    if (indices.length !== pixels.length) indices = new Uint8Array(pixels.length);
    indexing.fill(samples, indices);
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = palette[indices[at] ?? 0] ?? 0;
  };
}

/** The same with as many colours as there are. */
export function manyColouringOf({ kind, stops }: ColourMap): Colouring {
  const packed = Uint32Array.from(stops, ({ colour }) => pack(colour));
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
      // A place that is not an index gives undefined: fractions, NaN and what is out of the list.
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
      // Of two infinite numbers there is no share: the colour of the end.
      const shade = Math.round(((value - start) / (end - start)) * shades) || 0;
      pixels[at] = list[part * (shades + 1) + shade] ?? 0;
    }
  };
}
