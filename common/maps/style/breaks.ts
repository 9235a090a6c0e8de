import { ckmeans } from 'simple-statistics';

export type BreakMethod = 'quantiles' | 'equal' | 'natural';

/** Natural breaks take quadratic time: more values than this are sampled evenly. */
const maxForNatural = 3_000;

/**
 * Returns the bounds between classes, distinct and ascending: at most `classes - 1`, fewer if the values do not allow
 * as many. A value on a bound belongs to the class above. Values that are not finite are ignored.
 */
export function breaksOf(method: BreakMethod, values: Iterable<number>, classes: number): readonly number[] {
  const sorted = Float64Array.from([...values].filter((value) => Number.isFinite(value))).toSorted();
  const [least] = sorted;
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined || least === greatest) return [];
  // If the least value is frequent (often zero), it gets a class of its own.
  const above = sorted.find((value) => value > least) ?? greatest;
  const bounds = inner(method, sorted, classes);
  const inside = bounds.filter((bound) => bound > least);
  const hasDistinctColours = inside.length < bounds.length && (inside[0] ?? Infinity) > above;
  return [...new Set(hasDistinctColours ? [above, ...inside] : inside)];
}

function inner(method: BreakMethod, sorted: Float64Array, classes: number): readonly number[] {
  const parts = Array.from({ length: classes - 1 }, (_, index) => (index + 1) / classes);
  const least = sorted[0] ?? 0;
  const greatest = sorted.at(-1) ?? 0;
  switch (method) {
    case 'equal':
      return parts.map((part) => withoutNoise(least + (greatest - least) * part));
    case 'quantiles':
      return parts.map((part) => quantileSorted(sorted, part));
    default:
      return ckmeans(thinned(sorted), Math.min(classes, new Set(thinned(sorted)).size))
        .slice(1)
        .flatMap(([first]) => first ?? []);
  }
}

/** Returns a quantile, interpolated linearly (type 7 of Hyndman and Fan 1996). */
export function quantileSorted(sorted: Float64Array, part: number): number {
  // Products such as 0.7 * 10 are inexact in the last digit.
  const at = withoutNoise((sorted.length - 1) * part);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  const share = at - Math.floor(at);
  // A bound that is a value of the data is exact; an interpolated one is rounded.
  return share === 0 ? low : withoutNoise(low + (high - low) * share);
}

/** Rounds to the 15 reliable decimal digits of a double; further digits would appear in styles, and put values into the wrong class. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(15));
}

function thinned(sorted: Float64Array): number[] {
  if (sorted.length <= maxForNatural) return [...sorted];
  const step = (sorted.length - 1) / (maxForNatural - 1);
  return Array.from({ length: maxForNatural }, (_, index) => sorted[Math.round(index * step)] ?? 0);
}
