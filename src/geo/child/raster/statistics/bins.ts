/** Bins of a histogram: as wide as a power of two, at multiples of it, so that one histogram is a part of the next coarser. */
export interface Bins {
  /** 2 ** exponent is the width of a bin. */
  readonly exponent: number;
  /** The number of the first bin: where it begins, in widths. */
  readonly first: number;
  readonly counts: ArrayLike<number>;
}

/** The bins of the histogram that is kept; a fine one has more than half as many in use, unless numbers leave no room for them. */
const kept = 2 ** 17;
/** The most bins of the histogram that is shown. */
const shown = 256;
const leastExponent = -1000;
const fractionBits = 52;

/** Returns the least exponent for which a range takes less than `most` bins. */
function exponentFor(min: number, max: number, most: number): number {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  // Below the last digit of a number there is nothing to tell apart.
  const lastDigit = largest === 0 ? leastExponent : Math.floor(Math.log2(largest)) - fractionBits;
  const span = max / 2 - min / 2;
  const wanted = span === 0 ? leastExponent : Math.floor(Math.log2(span)) - Math.ceil(Math.log2(most)) - 1;
  let exponent = Math.max(leastExponent, lastDigit, wanted);
  while (Math.floor(max / 2 ** exponent) - Math.floor(min / 2 ** exponent) >= most) exponent += 1;
  return exponent;
}

/**
 * A histogram of numbers whose range is not known before: its bins become wider as the range grows. What comes out depends on the
 * numbers alone, not on their order.
 */
export interface GrowingBins {
  /** Makes room for a range that holds all numbers so far, and returns how those that follow are put in place. */
  cover(min: number, max: number): void;
  add(value: number): void;
  result(min: number, max: number): Bins;
}

export function createGrowingBins(): GrowingBins {
  let counts = new Float64Array(kept);
  let exponent = Number.NaN;
  let perUnit = 0;
  /** A multiple of `kept` at or below the first bin: as no two bins in use are that far apart, each has a place of its own. */
  let base = 0;
  let range: readonly [min: number, max: number] | undefined;
  const place = (bin: number) => (bin - base) & (kept - 1);
  /** The counts of the bins from one number to another. */
  const countsOf = (first: number, last: number) => {
    const found = new Float64Array(last - first + 1);
    for (let i = 0; i < found.length; i += 1) found[i] = counts[place(first + i)] ?? 0;
    return found;
  };
  const settle = (next: number, min: number) => {
    exponent = next;
    perUnit = 2 ** -exponent;
    base = Math.floor(Math.floor(min * perUnit) / kept) * kept;
  };
  return {
    cover(min, max) {
      const next = exponentFor(min, max, kept);
      if (range === undefined) settle(next, min);
      else if (next !== exponent) {
        const [first, last] = [Math.floor(range[0] * perUnit), Math.floor(range[1] * perUnit)];
        const before = countsOf(first, last);
        const factor = 2 ** (exponent - next);
        counts = new Float64Array(kept);
        settle(next, min);
        for (let i = 0; i < before.length; i += 1) {
          const at = place(Math.floor((first + i) * factor));
          counts[at] = (counts[at] ?? 0) + (before[i] ?? 0);
        }
      } else base = Math.floor(Math.floor(min * perUnit) / kept) * kept;
      range = [min, max];
    },
    add(value) {
      const at = (Math.floor(value * perUnit) - base) & (kept - 1);
      counts[at] = (counts[at] ?? 0) + 1;
    },
    result(min, max) {
      const [first, last] = [Math.floor(min * perUnit), Math.floor(max * perUnit)];
      return { exponent, first, counts: countsOf(first, last) };
    },
  };
}

/** Joins bins until there are at most so many as are shown. */
export function shownBins(bins: Bins): Bins {
  const last = bins.first + bins.counts.length - 1;
  let factor = 1;
  while (Math.floor(last / factor) - Math.floor(bins.first / factor) >= shown) factor *= 2;
  const first = Math.floor(bins.first / factor);
  const counts = new Float64Array(Math.floor(last / factor) - first + 1);
  for (let i = 0; i < bins.counts.length; i += 1) {
    const at = Math.floor((bins.first + i) / factor) - first;
    counts[at] = (counts[at] ?? 0) + (bins.counts[i] ?? 0);
  }
  return { exponent: bins.exponent + Math.log2(factor), first, counts };
}

/** A part of the values, in order; its ends may be anywhere. */
interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Lists bins that have values, in order. */
export function* binsOf({ exponent, first, counts }: Bins): Generator<Bin> {
  const width = 2 ** exponent;
  for (let i = 0; i < counts.length; i += 1) {
    const count = counts[i] ?? 0;
    if (count > 0) yield { from: (first + i) * width, to: (first + i + 1) * width, count };
  }
}

/** A quantile, and the width of the bin that it was found in. */
interface Quantile {
  readonly value: number;
  readonly width: number;
}

/** Returns the values below which shares of `total` lie, within their bins by the share of the bin that is needed. @param shares ascending */
export function quantilesIn(
  bins: Iterable<Bin>,
  shares: readonly number[],
  { total, min, max }: { readonly total: number; readonly min: number; readonly max: number },
): readonly Quantile[] {
  const found: Quantile[] = [];
  let below = 0;
  for (const { from, to, count } of bins) {
    for (let share = shares[found.length]; share !== undefined; share = shares[found.length]) {
      const rank = share * total;
      if (below + count < rank) break;
      const value = from + ((to - from) * (rank - below)) / count;
      found.push({ value: Math.max(min, Math.min(max, value)), width: to - from });
    }
    below += count;
  }
  return shares.map((_, index) => found[index] ?? { value: max, width: 0 });
}

/** Parts of a binade: a bin is as wide as a thousandth of its values. */
const partBits = 10;
const parts = 2 ** partBits;
/** More binades than real measurements have; a hostile file may have all of them. */
const mostBinades = 256;

/**
 * A histogram of floats whose bins are a share of their values, by the upper bits of the numbers. One value far from all others, which makes
 * bins of one width useless, changes nothing in it.
 */
export function createRelativeBins() {
  /** By sign and exponent. */
  let binades: Map<number, Float64Array> | undefined = new Map();
  return {
    /** @param high the upper half of a float of 64 bits. */
    add(high: number): void {
      if (binades === undefined) return;
      const binade = high >>> 20;
      let counts = binades.get(binade);
      if (counts === undefined) {
        if (binades.size === mostBinades) {
          binades = undefined;
          return;
        }
        binades.set(binade, (counts = new Float64Array(parts)));
      }
      const part = (high >>> (20 - partBits)) & (parts - 1);
      counts[part] = (counts[part] ?? 0) + 1;
    },
    /** Lists bins in order; undefined where numbers are of more sizes than there is room for. */
    result: (): readonly Bin[] | undefined => binades && relativeBins(binades),
  };
}

function relativeBins(binades: ReadonlyMap<number, Float64Array>): readonly Bin[] {
  const found: Bin[] = [];
  for (const [binade, counts] of binades) {
    for (const [part, count] of counts.entries()) {
      if (count === 0) continue;
      const ends = [part, part + 1].map((each) => floatOf(binade * parts + each)).toSorted((a, b) => a - b);
      found.push({ from: ends[0] ?? 0, to: ends[1] ?? 0, count });
    }
  }
  return found.toSorted((one, other) => one.from - other.from);
}

/** The float whose upper bits are a number of so many; beyond the last one infinity stands for the greatest. */
function floatOf(upperBits: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setUint32(0, upperBits * 2 ** (20 - partBits));
  const value = bits.getFloat64(0);
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}
