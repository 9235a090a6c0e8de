/** Half-open intervals with their values: `values[k]` applies up to the k-th break, exclusive. */
export interface RatingTable {
  readonly breaks: Float32Array;
  /** One more element than `breaks`. */
  readonly values: Float64Array;
}

/** Values by class of a raster; 0 for a class without a value, and for no data. */
export type Lookup = Float64Array;

/** Creates a table from ascending breaks, in the unit of the rated values. */
export function ratingTable(breaks: readonly number[], values: readonly number[]): RatingTable {
  return { breaks: Float32Array.from(breaks), values: Float64Array.from(values) };
}

/** Returns the value for `x`, compared in float32, as rasters store it: 350 / 1000 reaches the break 0.35. */
export function rate({ breaks, values }: RatingTable, x: number): number {
  const stored = Math.fround(x);
  let k = 0;
  while (k < breaks.length && stored >= (breaks[k] ?? Infinity)) k++;
  return values[k] ?? 0;
}

/** Ratings by the upper half of the bits of a number; `divided` for ranges that contain a break. */
export type RatingsByBits = Uint8Array;
export const divided = 0xff;

/** Prepares a table of whole ratings less than 255 for many numbers; `special` numbers are rated one by one. */
export function ratingsByBits(table: RatingTable, special: number): RatingsByBits {
  const number = new Float32Array(1);
  const bits = new Uint32Array(number.buffer);
  const ratingOf = (pattern: number): number => {
    bits[0] = pattern;
    return rate(table, number[0] ?? 0);
  };
  // Numbers with the same 16 leading bits are consecutive.
  const ratings = Uint8Array.from({ length: 0x1_0000 }, (_, upper) => {
    const [first, last] = [ratingOf(upper * 0x1_0000), ratingOf(upper * 0x1_0000 + 0xffff)];
    return first === last ? first : divided;
  });
  number[0] = special;
  ratings[(bits[0] ?? 0) >>> 16] = divided;
  return ratings;
}

/** Creates a lookup with an element for every value of a byte, so that no class is out of bounds. */
export function lookup(classes: readonly number[], values: readonly number[]): Lookup {
  const table = new Float64Array(256);
  classes.forEach((each, index) => (table[each] = values[index] ?? 0));
  return table;
}
