/** Sums of integer multiples of a unit, which are bit-identical in any order of addition. */
export interface ExactSums {
  /** Callers add integer multiples of the unit here, and call `fold` before 2^53 units. */
  readonly open: Float64Array;
  /** Empties `open`. */
  fold(): void;
  totalOf(index: number): number;
}

const halfBits = 26;
const half = 2 ** halfBits;

/** @param unit a power of two. */
export function createExactSums(size: number, unit: number): ExactSums {
  const [open, high, low] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const foldOne = (i: number) => {
    const units = (open[i] ?? 0) / unit;
    if (units === 0) return;
    const upper = Math.floor(units / half);
    high[i] = (high[i] ?? 0) + upper;
    low[i] = (low[i] ?? 0) + units - upper * half;
    open[i] = 0;
  };
  return {
    open,
    fold() {
      for (let i = 0; i < size; i += 1) foldOne(i);
    },
    totalOf(index) {
      foldOne(index);
      const units = (BigInt(high[index] ?? 0) << BigInt(halfBits)) + BigInt(low[index] ?? 0);
      return Number(units) * unit;
    },
  };
}

/** Bits of the upper half of a float64: sign, exponent, and the upper part of the fraction. */
const fractionBits = 20;
const exponents = 2 ** 11;
const signs = 2;
const wholeBits = 52;
/** Exponent of the smallest subnormal number. */
const smallestUnit = -1074;

/** The exact sum of float64 numbers, with one sum per exponent. */
export interface FloatSum {
  /** Adds a finite number by its upper and lower half. */
  add(upper: number, lower: number): void;
  /** Call it at least every 2^20 numbers. */
  fold(): void;
  /** Returns the mean of this many numbers, rounded once. */
  meanOf(count: number): number;
}

export function createFloatSum(): FloatSum {
  const uppers = createExactSums(signs * exponents, 1);
  const lowers = createExactSums(signs * exponents, 1);
  const [openUpper, openLower] = [uppers.open, lowers.open];
  return {
    add(upper, lower) {
      const at = upper >>> fractionBits;
      const fraction = upper & 0xf_ff_ff;
      // Zero and subnormal numbers have no implicit leading one.
      openUpper[at] = (openUpper[at] ?? 0) + ((at & 0x7_ff) === 0 ? fraction : fraction | 0x10_00_00);
      openLower[at] = (openLower[at] ?? 0) + (lower >>> 0);
    },
    fold() {
      uppers.fold();
      lowers.fold();
    },
    meanOf(count) {
      let sum = 0n;
      for (let at = 0; at < signs * exponents; at += 1) {
        const units = (BigInt(uppers.totalOf(at)) << 32n) + BigInt(lowers.totalOf(at));
        if (units === 0n) continue;
        const exponent = Math.max(1, at % exponents) - 1;
        const shifted = units << BigInt(exponent);
        sum += at >= exponents ? -shifted : shifted;
      }
      return quotientOf(sum, BigInt(count));
    },
  };
}

/** Divides a sum in units of 2^-1074, with a few bits more than a float64. */
function quotientOf(sum: bigint, count: bigint): number {
  if (sum === 0n) return 0;
  const isNegative = sum < 0n;
  const size = isNegative ? -sum : sum;
  const bits = size.toString(2).length - count.toString(2).length;
  const shift = bits - wholeBits - 8;
  const quotient = shift >= 0 ? (size >> BigInt(shift)) / count : (size << BigInt(-shift)) / count;
  const value = scaled(Number(quotient), shift + smallestUnit);
  return isNegative ? -value : value;
}

/** Multiplies by a power of two that may itself underflow or overflow. */
function scaled(value: number, exponent: number): number {
  const part = Math.trunc(exponent / 2);
  return value * 2 ** part * 2 ** (exponent - part);
}
