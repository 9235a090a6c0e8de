import { quantileSorted } from '../../../common/maps/style/breaks.ts';
import type { RasterStatistics } from '../service/types.ts';

/** The distribution of the values of a dataset, for classes, stretches and the histogram. */
export interface Distribution {
  /** Values in ascending order; for a raster, a sample that represents all pixels. */
  readonly values: Float64Array;
  readonly least: number;
  readonly greatest: number;
  /** The 2nd and 98th percentiles. */
  readonly low: number;
  readonly high: number;
  /** Number of values in each bin of equal width, from `from` to `to`. */
  readonly bins: { readonly from: number; readonly to: number; readonly counts: readonly number[] };
  /** All distinct values in order, if they are few. */
  readonly distinct: readonly number[] | undefined;
  readonly isWhole: boolean;
}

/** Number of values that represent the pixels of a raster. */
const sampleSize = 2_000;
const binCount = 64;
/** The largest number of values that can each have a separate colour. */
export const maxDistinct = 32;

type Band = RasterStatistics['bands'][number];

/** Describes the pixels of a band from its statistics; undefined if no pixel has a value. */
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
  // One outlier would put all other values into a single bin, but each percentile has the same number of pixels.
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
    values: sampleOf(parts, min, max),
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

/** Values at even steps through all pixels, interpolated linearly within each part, including the least and the greatest. */
function sampleOf(parts: readonly Part[], least: number, greatest: number): Float64Array {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const values = [least];
  let [index, below] = [0, 0];
  for (let at = 0; at < sampleSize; at += 1) {
    const wanted = ((at + 0.5) / sampleSize) * total;
    while (index < parts.length - 1 && below + (parts[index]?.count ?? 0) <= wanted) {
      below += parts[index]?.count ?? 0;
      index += 1;
    }
    const { count, from, to } = parts[index] ?? { count: 1, from: least, to: least };
    values.push(from + (to - from) * Math.min(1, (wanted - below) / Math.max(1, count)));
  }
  return Float64Array.from([...values, greatest]);
}

/** Describes the numbers of a table over all its dates, so that one legend applies to all; undefined if there are none. */
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
