import { quantileSorted } from '../../../common/maps/style/breaks.ts';
import type { RasterStatistics } from '../service/types.ts';

/** How the values of a dataset are spread: what classes and stretches are made of, and what a histogram shows. */
export interface Distribution {
  /** In ascending order; of a raster some that stand for all of its pixels. */
  readonly values: Float64Array;
  readonly least: number;
  readonly greatest: number;
  /** The values below which 2 % and 98 % lie. */
  readonly low: number;
  readonly high: number;
  /** How many values each bin has, all of them as wide, from `from` to `to`. */
  readonly bins: { readonly from: number; readonly to: number; readonly counts: readonly number[] };
  /** Every value that there is, in order, where they are few. */
  readonly distinct: readonly number[] | undefined;
  readonly isWhole: boolean;
}

/** So many values stand for the pixels of a raster. */
const standIns = 2_000;
const binCount = 64;
/** The most values that can each have a colour of their own. */
export const maxDistinct = 32;

type Band = RasterStatistics['bands'][number];

/** Describes the pixels of a band by its statistics; undefined where none has a value. */
export function distributionOfBand({
  min,
  max,
  p2,
  p98,
  percentiles,
  histogram,
  classes,
}: Band): Distribution | undefined {
  if (min === null || max === null || histogram === null) return undefined;
  const { counts } = histogram;
  const width = (histogram.max - histogram.min) / counts.length;
  // One value far from all others puts these into a single bin; each hundredth has as many pixels as any other.
  const hundredths = percentiles
    ?.slice(1)
    .map((to, index) => ({ count: 1, from: percentiles[index] ?? to, to }));
  const binned = counts.map((count, index) => {
    const from = histogram.min + index * width;
    return { count, from: Math.max(min, from), to: Math.min(max, from + width) };
  });
  const parts =
    classes?.map(({ value, pixels }) => ({ count: pixels, from: value, to: value })) ?? hundredths ?? binned;
  const distinct = classes?.map(({ value }) => value).toSorted((a, b) => a - b);
  return {
    values: standFor(parts, min, max),
    least: min,
    greatest: max,
    low: p2 ?? min,
    high: p98 ?? max,
    bins: { from: histogram.min, to: histogram.max, counts },
    distinct: distinct !== undefined && distinct.length <= maxDistinct ? distinct : undefined,
    isWhole: distinct?.every((value) => Number.isInteger(value)) ?? false,
  };
}

interface Part {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** Values at even steps through all pixels, as if those of a part were spread evenly in it; the least and the greatest are among them. */
function standFor(parts: readonly Part[], least: number, greatest: number): Float64Array {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const values = [least];
  let [index, below] = [0, 0];
  for (let at = 0; at < standIns; at += 1) {
    const wanted = ((at + 0.5) / standIns) * total;
    while (index < parts.length - 1 && below + (parts[index]?.count ?? 0) <= wanted) {
      below += parts[index]?.count ?? 0;
      index += 1;
    }
    const { count, from, to } = parts[index] ?? { count: 1, from: least, to: least };
    values.push(from + (to - from) * Math.min(1, (wanted - below) / Math.max(1, count)));
  }
  return Float64Array.from([...values, greatest]);
}

/** Describes the numbers of a table over all its dates, so that one legend holds for all; undefined where there are none. */
export function distributionOfNumbers(numbers: readonly number[]): Distribution | undefined {
  const values = Float64Array.from(numbers.filter((value) => Number.isFinite(value))).toSorted();
  const [least] = values;
  const greatest = values.at(-1);
  if (least === undefined || greatest === undefined) return undefined;
  const counts = Array.from({ length: binCount }, () => 0);
  for (const value of values) {
    const share = greatest === least ? 0 : (value - least) / (greatest - least);
    const bin = Math.min(binCount - 1, Math.floor(share * binCount));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const distinct = [...new Set(values)];
  return {
    values,
    least,
    greatest,
    low: quantileSorted(values, 0.02),
    high: quantileSorted(values, 0.98),
    bins: { from: least, to: greatest, counts },
    distinct: distinct.length <= maxDistinct ? distinct : undefined,
    isWhole: values.every((value) => Number.isInteger(value)),
  };
}
