import { exactPixels } from '../../../area/pixel-areas.ts';
import { binsOf, type Bins, createGrowingBins, createRelativeBins, quantilesIn, shownBins } from './bins.ts';
import { createExactSums, createFloatSum } from './exact-sums.ts';

/** Pixels of a window of one band. */
export interface CountedPixels {
  /** Stored values: scale and offset are not applied. */
  readonly values: ArrayLike<number>;
  /** 0 marks pixels without a value; undefined if every pixel has one. */
  readonly mask: Uint8Array | undefined;
  /** Square metres, multiples of the counter's unit; undefined for a raster that is not on the earth. */
  readonly areas: Float64Array | undefined;
}

/** Counts of a band in stored values; areas in square metres, 0 for a raster without areas. */
export interface BandCounts {
  readonly valid: number;
  readonly nodata: number;
  readonly noDataArea: number;
  /** Undefined without a value. */
  readonly values:
    | {
        readonly min: number;
        readonly max: number;
        readonly mean: number;
        /** The 0th to 100th percentiles of the pixels. */
        readonly percentiles: readonly number[];
        readonly histogram: Bins;
      }
    | undefined;
  /** Undefined for a band with a value that is not an integer, or with more than 256 distinct ones. */
  readonly classes:
    | readonly { readonly value: number; readonly pixels: number; readonly area: number }[]
    | undefined;
}

/** Counts the pixels of a band. The result is bit-identical for any windows in any order. */
export interface BandCounter {
  add(pixels: CountedPixels): void;
  result(): BandCounts;
}

export const mostClasses = 256;
const hundredths = Array.from({ length: 101 }, (_, index) => index / 100);
/** Pixels per chunk, which is read twice while it is in the cache. */
const chunk = 2 ** 14;

/** @param unit of the areas. */
export function createBandCounter(dataType: string, unit: number): BandCounter {
  return wholeRanges[dataType] === undefined
    ? createRealCounter(unit)
    : createWholeCounter(wholeRanges[dataType], unit);
}

/** Ranges of integer types that are small enough for one counter per value. */
const wholeRanges: Readonly<Record<string, { readonly least: number; readonly count: number }>> = {
  Byte: { least: 0, count: 2 ** 8 },
  Int8: { least: -(2 ** 7), count: 2 ** 8 },
  UInt16: { least: 0, count: 2 ** 16 },
  Int16: { least: -(2 ** 15), count: 2 ** 16 },
};

function createWholeCounter(
  { least, count }: { readonly least: number; readonly count: number },
  unit: number,
): BandCounter {
  /** The last counter is for pixels without a value. */
  const counts = new Float64Array(count + 1);
  const areas = createExactSums(count + 1, unit);
  const noArea = new Float64Array(0);
  let sinceFold = 0;
  return {
    add({ values, mask, areas: areasOfPixels = noArea }) {
      const { length } = values;
      const { open } = areas;
      const hasArea = areasOfPixels.length > 0;
      for (let i = 0; i < length;) {
        if (sinceFold >= exactPixels) {
          areas.fold();
          sinceFold = 0;
        }
        const end = Math.min(length, i + exactPixels - sinceFold);
        sinceFold += end - i;
        while (i < end) {
          const at = mask !== undefined && mask[i] === 0 ? count : (values[i] ?? 0) - least;
          const from = i;
          let area = 0;
          // Neighbours are often equal.
          do {
            if (hasArea) area += areasOfPixels[i] ?? 0;
            i += 1;
          } while (
            i < end &&
            (mask !== undefined && mask[i] === 0 ? count : (values[i] ?? 0) - least) === at
          );
          counts[at] = (counts[at] ?? 0) + i - from;
          open[at] = (open[at] ?? 0) + area;
        }
      }
    },
    result() {
      const found = [...counts.keys()].filter((at) => at < count && counts[at] !== 0);
      const nodata = counts[count] ?? 0;
      const noDataArea = areas.totalOf(count);
      const [first, last] = [found[0], found.at(-1)];
      if (first === undefined || last === undefined)
        return { valid: 0, nodata, noDataArea, values: undefined, classes: [] };
      const valid = found.reduce((sum, at) => sum + (counts[at] ?? 0), 0);
      const [min, max] = [first + least, last + least];
      // Below 2^53: at most 2^16 times the pixels of a raster.
      const sum = found.reduce((total, at) => total + BigInt(at + least) * BigInt(counts[at] ?? 0), 0n);
      const bins = { exponent: 0, first: min, counts: counts.subarray(first, last + 1) };
      const quantiles = quantilesIn(binsOf(bins), hundredths, { total: valid, min, max });
      return {
        valid,
        nodata,
        noDataArea,
        values: {
          min,
          max,
          mean: Number(sum) / valid,
          percentiles: quantiles.map(({ value }) => Math.floor(value)),
          histogram: shownBins(bins),
        },
        classes:
          found.length > mostClasses
            ? undefined
            : found.map((at) => ({ value: at + least, pixels: counts[at] ?? 0, area: areas.totalOf(at) })),
      };
    },
  };
}

function createRealCounter(unit: number): BandCounter {
  const sum = createFloatSum();
  const bins = createGrowingBins();
  const relative = createRelativeBins();
  /** The last area is that of pixels without a value. */
  const areas = createExactSums(mostClasses + 1, unit);
  const pixels = new Float64Array(mostClasses);
  let classes: Map<number, number> | undefined = new Map();
  let [valid, nodata] = [0, 0];
  let [min, max] = [Infinity, -Infinity];
  let sinceFold = 0;
  const some = new Float64Array(chunk);
  const halves = new Uint32Array(some.buffer);
  const classOf = (value: number): number => {
    let at = classes?.get(value);
    if (at === undefined && classes !== undefined) {
      if (Number.isInteger(value) && classes.size < mostClasses) classes.set(value, (at = classes.size));
      else classes = undefined;
    }
    return at ?? -1;
  };
  const addChunk = (
    count: number,
    mask: Uint8Array | undefined,
    start: number,
    areasOfPixels: Float64Array | undefined,
  ) => {
    let known = 0;
    let [lastValue, lastClass] = [NaN, -1];
    for (let i = 0; i < count; i += 1) {
      const value = some[i] ?? 0;
      const area = areasOfPixels === undefined ? 0 : (areasOfPixels[start + i] ?? 0);
      // True for infinite values and NaN.
      if ((mask !== undefined && mask[start + i] === 0) || value - value !== 0) {
        nodata += 1;
        areas.open[mostClasses] = (areas.open[mostClasses] ?? 0) + area;
        continue;
      }
      if (value < min) min = value;
      if (value > max) max = value;
      sum.add(halves[2 * i + 1] ?? 0, halves[2 * i] ?? 0);
      if (classes !== undefined) {
        if (value !== lastValue) [lastValue, lastClass] = [value, classOf(value)];
        if (lastClass >= 0) {
          pixels[lastClass] = (pixels[lastClass] ?? 0) + 1;
          areas.open[lastClass] = (areas.open[lastClass] ?? 0) + area;
        }
      }
      some[known] = value;
      known += 1;
    }
    valid += known;
    if (known === 0) return;
    bins.cover(min, max);
    for (let i = 0; i < known; i += 1) {
      bins.add(some[i] ?? 0);
      relative.add(halves[2 * i + 1] ?? 0);
    }
  };
  return {
    add({ values, mask, areas: areasOfPixels }) {
      for (let start = 0; start < values.length; start += chunk) {
        const count = Math.min(chunk, values.length - start);
        for (let i = 0; i < count; i += 1) some[i] = Number(values[start + i]);
        addChunk(count, mask, start, areasOfPixels);
        sinceFold += count;
        if (sinceFold + chunk <= exactPixels) continue;
        areas.fold();
        sum.fold();
        sinceFold = 0;
      }
    },
    result() {
      const noDataArea = areas.totalOf(mostClasses);
      if (valid === 0) return { valid, nodata, noDataArea, values: undefined, classes: [] };
      const fine = bins.result(min, max);
      const range = { total: valid, min, max };
      const even = quantilesIn(binsOf(fine), hundredths, range);
      const shared = quantilesIn(relative.result() ?? [], hundredths, range);
      // Each from the histogram with the narrower bin there.
      const finest = even.map((one, index) => {
        const other = shared[index];
        const value =
          other !== undefined && other.width > 0 && other.width < one.width ? other.value : one.value;
        // The bin of zero extends to the smallest normal number.
        return Math.abs(value) < leastNormal ? 0 : value;
      });
      const found = classes && [...classes].toSorted(([one], [other]) => one - other);
      return {
        valid,
        nodata,
        noDataArea,
        values: {
          min,
          max,
          mean: sum.meanOf(valid),
          percentiles: ascending(finest),
          histogram: shownBins(fine),
        },
        classes: found?.map(([value, at]) => ({
          value: value + 0,
          pixels: pixels[at] ?? 0,
          area: areas.totalOf(at),
        })),
      };
    },
  };
}

const leastNormal = 2 ** -1022;

/** Two histograms may differ by the width of a bin. */
function ascending(numbers: readonly number[]): readonly number[] {
  let greatest = -Infinity;
  return numbers.map((number) => (greatest = Math.max(greatest, number)));
}
