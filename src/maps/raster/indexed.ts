import { classOf, type ColourMap, mix, type Rgba } from '../style/colour-map.ts';

/** Colours of a picture that has at most 256, and what gives each value one of them; 0 is transparent. */
export interface Indexing {
  readonly palette: readonly Rgba[];
  /** Fills indices of the palette; NaN and what has no colour become 0. */
  readonly fill: (values: Float64Array, indices: Uint8Array) => void;
}

const transparent: Rgba = [0, 0, 0, 0];
const maxColours = 256;
/** Whole values from here on, so many of them, are looked up in a list. */
const listFrom = -32_768;
const listLength = 98_304;

/**
 * Prepares the colouring of single values by at most 256 colours; undefined when there are more. A ramp becomes as many
 * shades as there are places, the same number between any two stops.
 * @param opacity 0 to 1, of all colours.
 */
export function indexingOf({ kind, stops }: ColourMap, opacity = 1): Indexing | undefined {
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
  const values = stops.map(({ value }) => value);
  if (kind === 'ramp') return rampIndexing(stops, values, { palette, indexOf });
  const indices = stops.map(({ colour }) => indexOf(colour));
  if (palette.length > maxColours) return undefined;
  const fill = kind === 'values' ? byValue(values, indices) : byInterval(values, indices);
  return { palette, fill };
}

function byInterval(bounds: readonly number[], indices: readonly number[]): Indexing['fill'] {
  return (from, to) => {
    for (let at = 0; at < to.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      to[at] = Number.isNaN(value) ? 0 : (indices[classOf(value, bounds)] ?? 0);
    }
  };
}

function byValue(values: readonly number[], indices: readonly number[]): Indexing['fill'] {
  const list = new Uint8Array(listLength);
  const others = new Map<number, number>();
  for (const [at, value] of values.entries()) {
    const place = value - listFrom;
    if (Number.isInteger(place) && place >= 0 && place < listLength) list[place] = indices[at] ?? 0;
    else others.set(value, indices[at] ?? 0);
  }
  return (from, to) => {
    for (let at = 0; at < to.length; at += 1) {
      const value = from[at] ?? Number.NaN;
      // A place that is not an index gives undefined: fractions, NaN and what is out of the list.
      to[at] = list[value - listFrom] ?? others.get(value) ?? 0;
    }
  };
}

function rampIndexing(
  stops: ColourMap['stops'],
  bounds: readonly number[],
  { palette, indexOf }: { readonly palette: readonly Rgba[]; readonly indexOf: (colour: Rgba) => number },
): Indexing | undefined {
  const parts = Math.max(1, stops.length - 1);
  const shades = Math.floor((maxColours - 2) / parts) - 1;
  if (shades < 1) return undefined;
  const tables = stops.map(({ colour }, index) => {
    const next = stops[index + 1]?.colour ?? colour;
    const count = index === stops.length - 1 ? 0 : shades;
    return Uint16Array.from({ length: count + 1 }, (_, shade) =>
      indexOf(mix(colour, next, count === 0 ? 0 : shade / count)),
    );
  });
  if (palette.length > maxColours) return undefined;
  const below = tables[0]?.[0] ?? 0;
  const fill = (from: Float64Array, to: Uint8Array): void => {
    // Neighbours are mostly in the same part.
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
        scale = part === bounds.length - 1 ? 0 : shades / (end - start);
      }
      to[at] = table?.[Math.round((value - start) * scale) || 0] ?? 0;
    }
  };
  return { palette, fill };
}
