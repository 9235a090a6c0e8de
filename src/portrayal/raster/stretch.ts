import { quantileSorted } from '../style/breaks.ts';

/** Statistics of the valid values of a raster, from a coarse level of it. */
export interface Spread {
  readonly least: number;
  readonly greatest: number;
  /** The values below which 2 % and 98 % lie. */
  readonly p2: number;
  readonly p98: number;
  /** Every value that there is, in order, where they are at most 32 whole numbers. */
  readonly classes: readonly number[] | undefined;
}

const maxClasses = 32;

/** Describes values; NaN does not count. Undefined when nothing is left. */
export function spreadOf(values: Float64Array): Spread | undefined {
  const sorted = values.filter((value) => Number.isFinite(value)).toSorted();
  const [least] = sorted;
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined) return undefined;
  return {
    least,
    greatest,
    p2: quantileSorted(sorted, 0.02),
    p98: quantileSorted(sorted, 0.98),
    classes: classesOf(sorted),
  };
}

function classesOf(sorted: Float64Array): readonly number[] | undefined {
  const found: number[] = [];
  for (const value of sorted) {
    if (value === found.at(-1)) continue;
    if (!Number.isInteger(value) || found.length === maxClasses) return undefined;
    found.push(value);
  }
  return found;
}
