/** Random draws, reproducible by seed. */
export interface Random {
  /** An integer from 0 to `limit` - 1; 0 when `limit` is less than 1. */
  below(limit: number): number;
  /** True in the given share of draws. */
  chance(share: number): boolean;
  /**
   * Picks one element.
   * @throws {RangeError} when there is none
   */
  pick<T>(from: readonly T[]): T;
}

const two32 = 2 ** 32;

/** Draws for one file of a seed, by the generator sfc32. */
export function createRandom(seed: number, index: number): Random {
  let [a, b, c, counter] = [seed >>> 0, Math.floor(seed / two32) >>> 0, index >>> 0, 1];
  const next = (): number => {
    const drawn = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  };
  for (let warmUp = 0; warmUp < 16; warmUp += 1) next();
  const below = (limit: number): number => Math.floor((next() / two32) * Math.max(1, limit));
  return {
    below,
    chance: (share) => next() / two32 < share,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new RangeError('nothing to pick from');
      return picked;
    },
  };
}
