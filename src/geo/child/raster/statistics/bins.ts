/** Bins of a histogram: their width is a power of two and they start at multiples of it, so that a histogram can be coarsened exactly. */
export interface Bins {
  /** Width of a bin: 2 ** exponent. */
  readonly exponent: number;
  /** Index of the first bin: its start divided by the width. */
  readonly first: number;
  readonly counts: ArrayLike<number>;
}

/** Number of bins of the stored histogram; a fine one uses more than half of them, unless the precision of the numbers prevents it. */
const kept = 2 ** 17;
/** Maximum number of bins of the published histogram. */
const shown = 256;
const leastExponent = -1000;
const fractionBits = 52;

/** Returns the smallest exponent at which a range takes fewer than `most` bins. */
function exponentFor(min: number, max: number, most: number): number {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  // Bins narrower than the last digit are useless.
  const lastDigit = largest === 0 ? leastExponent : Math.floor(Math.log2(largest)) - fractionBits;
  const span = max / 2 - min / 2;
  const wanted = span === 0 ? leastExponent : Math.floor(Math.log2(span)) - Math.ceil(Math.log2(most)) - 1;
  let exponent = Math.max(leastExponent, lastDigit, wanted);
  while (Math.floor(max / 2 ** exponent) - Math.floor(min / 2 ** exponent) >= most) exponent += 1;
  return exponent;
}

/**
 * A histogram of numbers with an unknown range: bins become wider as the range grows. The result does not depend on the
 * order of the numbers.
 */
export interface GrowingBins {
  /** Widens the bins to a range that includes all numbers so far, and returns the mapping for the next numbers. */
  cover(min: number, max: number): void;
  add(value: number): void;
  result(min: number, max: number): Bins;
}

export function createGrowingBins(): GrowingBins {
  let counts = new Float64Array(kept);
  let exponent = Number.NaN;
  let perUnit = 0;
  /** A multiple of `kept` at or below the first bin: no two used bins are that far apart, so that each has its own slot. */
  let base = 0;
  let range: readonly [min: number, max: number] | undefined;
  const place = (bin: number) => (bin - base) & (kept - 1);
  const countsOf = (first: number, last: number) => {
    const found = new Float64Array(last - first + 1);
    for (let i = 0; i < found.length; i += 1) found[i] = counts[place(first + i)] ?? 0;
    return found;
  };
  const setScale = (next: number, min: number) => {
    exponent = next;
    perUnit = 2 ** -exponent;
    base = Math.floor(Math.floor(min * perUnit) / kept) * kept;
  };
  return {
    cover(min, max) {
      const next = exponentFor(min, max, kept);
      if (range === undefined) setScale(next, min);
      else if (next !== exponent) {
        const [first, last] = [Math.floor(range[0] * perUnit), Math.floor(range[1] * perUnit)];
        const before = countsOf(first, last);
        const factor = 2 ** (exponent - next);
        counts = new Float64Array(kept);
        setScale(next, min);
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

/** Joins bins down to the published number. */
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

/** A part of the values, in order, with arbitrary ends. */
interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Yields bins with values, in order. */
export function* binsOf({ exponent, first, counts }: Bins): Generator<Bin> {
  const width = 2 ** exponent;
  for (let i = 0; i < counts.length; i += 1) {
    const count = counts[i] ?? 0;
    if (count > 0) yield { from: (first + i) * width, to: (first + i + 1) * width, count };
  }
}

/** A quantile, and the width of its bin. */
interface Quantile {
  readonly value: number;
  readonly width: number;
}

/** Returns the values below which shares of `total` lie, interpolated within bins. @param shares ascending */
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

/** log2 of the bins per binade: a bin is about a thousandth of its values wide. */
const partBits = 10;
const parts = 2 ** partBits;
/** More binades than real measurements have; a hostile file may have all of them. */
const mostBinades = 256;

/**
 * A histogram of floats whose bin width is relative to the value, from the upper bits of the numbers. An extreme value,
 * which makes bins of equal width useless, does not affect it.
 */
export function createRelativeBins() {
  /** By sign and exponent. */
  let binades: Map<number, Float64Array> | undefined = new Map();
  return {
    /** @param high upper half of a 64-bit float. */
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
    /** Returns bins in order; undefined if numbers span too many magnitudes. */
    result: (): readonly Bin[] | undefined => binades && relativeBins(binades),
  };
}

/** The first binade of negative numbers: the sign is the bit above the exponent. */
const negative = 2 ** 11;

function relativeBins(binades: ReadonlyMap<number, Float64Array>): readonly Bin[] {
  const found: Bin[] = [];
  const rank = (binade: number): number => (binade >= negative ? -binade : binade);
  for (const binade of [...binades.keys()].toSorted((one, other) => rank(one) - rank(other))) {
    const counts = binades.get(binade);
    for (let i = 0; i < parts; i += 1) {
      // The upper bits of negative numbers grow as the numbers fall.
      const part = binade >= negative ? parts - 1 - i : i;
      const count = counts?.[part] ?? 0;
      if (count === 0) continue;
      const [near, far] = [floatOf(binade * parts + part), floatOf(binade * parts + part + 1)];
      found.push(binade >= negative ? { from: far, to: near, count } : { from: near, to: far, count });
    }
  }
  return found;
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns the float with these upper bits; infinity represents everything beyond the greatest. */
function floatOf(upperBits: number): number {
  bits.setUint32(0, upperBits * 2 ** (20 - partBits));
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, bits.getFloat64(0)));
}
