import { ckmeans } from 'simple-statistics';

export type BreakMethod = 'quantiles' | 'equal' | 'natural';

/** More values than this are thinned out evenly before natural breaks are sought, which take time by their square. */
const maxForNatural = 3_000;

/**
 * Bounds between classes, in ascending order and each different: at most `classes - 1`, fewer where the values do not allow
 * so many. A value on a bound belongs to the class above. Values that are not finite do not count.
 */
export function breaksOf(method: BreakMethod, values: Iterable<number>, classes: number): readonly number[] {
  const sorted = Float64Array.from([...values].filter((value) => Number.isFinite(value))).toSorted();
  const [least] = sorted;
  const greatest = sorted.at(-1);
  if (least === undefined || greatest === undefined || least === greatest) return [];
  // Where much is the least value (often zero), that value is a class of its own.
  const above = sorted.find((value) => value > least) ?? greatest;
  const bounds = inner(method, sorted, classes);
  const inside = bounds.filter((bound) => bound > least);
  const isApart = inside.length < bounds.length && (inside[0] ?? Infinity) > above;
  return [...new Set(isApart ? [above, ...inside] : inside)];
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

/** The value below which such a part of them lies, between neighbours in proportion (type 7 of Hyndman and Fan 1996). */
export function quantileSorted(sorted: Float64Array, part: number): number {
  // Products such as 0.7 * 10 miss the place of a value by their last digit.
  const at = withoutNoise((sorted.length - 1) * part);
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  const share = at - Math.floor(at);
  // A value of the data is a bound as it is; one between two of them has no digits that computing has made.
  return share === 0 ? low : withoutNoise(low + (high - low) * share);
}

/** A double has 15 decimal digits that can be trusted; the others would stand in styles, and put values beside their class. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(15));
}

function thinned(sorted: Float64Array): number[] {
  if (sorted.length <= maxForNatural) return [...sorted];
  const step = (sorted.length - 1) / (maxForNatural - 1);
  return Array.from({ length: maxForNatural }, (_, index) => sorted[Math.round(index * step)] ?? 0);
}
