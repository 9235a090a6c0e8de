/** Half-open intervals and the value of each: `values[k]` from the k-th break up to the next, which it does not reach. */
export interface RatingTable {
  readonly breaks: Float32Array;
  /** One more than there are breaks. */
  readonly values: Float64Array;
}

/** Values by class of a raster; 0 for a class without one, and for no class. */
export type Lookup = Float64Array;

/** Makes a table of ascending breaks, in the unit of what is rated. */
export function ratingTable(breaks: readonly number[], values: readonly number[]): RatingTable {
  return { breaks: Float32Array.from(breaks), values: Float64Array.from(values) };
}

/** Finds the value for `x`, compared in float32, as rasters store it: 350 / 1000 reaches the break 0.35. */
export function rate({ breaks, values }: RatingTable, x: number): number {
  const stored = Math.fround(x);
  let k = 0;
  while (k < breaks.length && stored >= (breaks[k] ?? Infinity)) k++;
  return values[k] ?? 0;
}

/** Makes a lookup for every value of a byte, so that no class is ever out of bounds. */
export function lookup(classes: readonly number[], values: readonly number[]): Lookup {
  const table = new Float64Array(256);
  classes.forEach((each, index) => (table[each] = values[index] ?? 0));
  return table;
}
