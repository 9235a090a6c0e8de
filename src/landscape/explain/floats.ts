const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** Returns the ordinal of a float32: the next greater float32 has the next whole number. */
export function ordinalOf(value: number): number {
  float[0] = value;
  const pattern = bits[0] ?? 0;
  return pattern >= 0 ? pattern : -(pattern & 0x7f_ff_ff_ff);
}

/** Returns the float32 with an ordinal. */
export function floatAt(ordinal: number): number {
  bits[0] = ordinal >= 0 ? ordinal : -ordinal | 0x80_00_00_00;
  return float[0] ?? 0;
}

export const greatestFloat = 3.402_823_466_385_288_6e38;
const digitsOfFloat = 9;

/** Returns the shortest decimal that rounds to the same float32. */
export function shortestOf(value: number): number {
  const stored = Math.fround(value);
  for (let digits = 1; digits < digitsOfFloat; digits += 1) {
    const short = Number(stored.toPrecision(digits));
    if (Math.fround(short) === stored) return short;
  }
  return Number(stored.toPrecision(digitsOfFloat));
}
