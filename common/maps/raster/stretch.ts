import { quantileSorted } from '../style/breaks.ts';
import { type BandValues, valueOfSample } from './raw-colours.ts';

/** Statistics of the valid values of a band, from a coarse level of the raster. */
export interface Spread {
  readonly least: number;
  readonly greatest: number;
  /** The 2nd and 98th percentiles. */
  readonly p2: number;
  readonly p98: number;
  /** Quantiles from the least value to the greatest. */
  readonly quantiles: readonly number[];
  /** All distinct samples in order, if they are at most 32 integers. */
  readonly classes: readonly number[] | undefined;
}

/** Statistics of all pixels of a band, in its unit; null if no pixel has a value. */
export interface CountedRange {
  readonly min: number | null;
  readonly max: number | null;
  readonly p2: number | null;
  readonly p98: number | null;
}

/** Replaces the range by that of all pixels: overviews of measurements are averages, which vary less than the values. */
export function withCounted(
  spread: Spread | undefined,
  counted: CountedRange | null | undefined,
): Spread | undefined {
  const { min = null, max = null, p2 = null, p98 = null } = counted ?? {};
  if (min === null || max === null || p2 === null || p98 === null) return spread;
  const { quantiles = [], classes } = spread ?? {};
  return { least: min, greatest: max, p2, p98, quantiles, classes };
}

const maxClasses = 32;
const parts = 64;

/** Computes statistics of samples, ignoring NaN; undefined if no value is left. */
export function spreadOf(samples: Float64Array, band: Omit<BandValues, 'type'>): Spread | undefined {
  const sorted = samples.filter((sample) => Number.isFinite(sample)).toSorted();
  if (sorted.length === 0) return undefined;
  const at = (part: number) => valueOfSample(quantileSorted(sorted, band.scale < 0 ? 1 - part : part), band);
  return {
    least: at(0),
    greatest: at(1),
    p2: at(0.02),
    p98: at(0.98),
    quantiles: Array.from({ length: parts + 1 }, (_, index) => at(index / parts)),
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
