import { makeOdd, type Means } from './mutation.ts';

/** A mutation of any content of at least two bytes. */
type ByteMutation = (bytes: Buffer, means: Means) => Buffer;

const maxRange = 512;

const flipBits: ByteMutation = (bytes, { random }) => {
  for (let flips = 1 + random.below(8); flips > 0; flips -= 1) {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  }
  return bytes;
};

const cutEnd: ByteMutation = (bytes, { random }) => bytes.subarray(0, 1 + random.below(bytes.length - 1));

const swapRanges: ByteMutation = (bytes, { random }) => {
  const length = 1 + random.below(Math.min(maxRange, bytes.length / 2));
  const [one, two] = [random.below(bytes.length - length), random.below(bytes.length - length)];
  const kept = Buffer.from(bytes.subarray(one, one + length));
  bytes.copyWithin(one, two, two + length);
  kept.copy(bytes, two);
  return bytes;
};

/** Removes a range, repeats it, or replaces it. */
const replaceRange: ByteMutation = (bytes, { random }) => {
  const start = random.below(bytes.length);
  const range = bytes.subarray(start, start + 1 + random.below(maxRange));
  const filled = Buffer.alloc(range.length, random.pick([0, 255, 1, 32]));
  const by = random.pick([[], [filled], [filled], [range, range], Array<Buffer>(100).fill(range)]);
  return Buffer.concat([bytes.subarray(0, start), ...by, bytes.subarray(start + range.length)]);
};

const splice: ByteMutation = (bytes, { random, other }) => {
  const from = random.below(bytes.length);
  if (random.chance(0.5)) return Buffer.concat([bytes.subarray(0, from), other.subarray(from)]);
  other.copy(bytes, from, random.below(other.length));
  return bytes;
};

const oddNumberAnywhere: ByteMutation = (bytes, { random }) => {
  const size = random.pick([1, 2, 4, 8] as const);
  return makeOdd(bytes, { at: random.below(bytes.length), size }, random.chance(0.5), random);
};

/** Mutations for any file. */
export const byteMutations: readonly ByteMutation[] = [
  [flipBits, flipBits, cutEnd, swapRanges, replaceRange, replaceRange, splice],
  [oddNumberAnywhere, oddNumberAnywhere],
].flat();
