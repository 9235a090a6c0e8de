/** Suitabilities go from 1 to this. */
const best = 5;

/**
 * All that a pixel's ratings say about its class, its limits, and its class if any one rating were the best: the class, which
 * ratings are the least, and, where that is one alone, the least of the others.
 */
export interface LimitState {
  /** The least rating, 1 to 5. */
  readonly class: number;
  /** Bit i is set when factor i has the least rating; every bit in class 5. */
  readonly mask: number;
  /** The least rating of the others where one factor alone limits; else 0. */
  readonly next: number;
}

/** The value of a pixel with a factor without a value, or whose land cover is not known. */
export const noLimitState = 0;
/** The value of a pixel that cannot be allotted. */
export const notAllocableState = 1;
/** States are numbered from here on. */
export const firstState = 2;

/** Lists the states of a sector with so many factors, at most 8; that of number n stands at n - `firstState`. */
export function limitStates(factors: number): readonly LimitState[] {
  if (factors < 2 || factors > 8) throw new RangeError(`${factors} factors`);
  const all = 2 ** factors - 1;
  const states: LimitState[] = [{ class: best, mask: all, next: 0 }];
  for (let rating = best - 1; rating >= 1; rating -= 1) {
    for (let mask = 1; mask <= all; mask += 1) {
      if ((mask & (mask - 1)) !== 0) states.push({ class: rating, mask, next: 0 });
      else for (let next = rating + 1; next <= best; next += 1) states.push({ class: rating, mask, next });
    }
  }
  return states;
}

/** Returns the class of a state if the rating of one factor were the best. @param factor its bit, from 0 */
export function relievedClass({ class: rating, mask, next }: LimitState, factor: number): number {
  return mask === 1 << factor ? next : rating;
}

/** A table from the ratings of a pixel to the number of its state. */
export interface StateNumbers {
  readonly numbers: Uint16Array;
  /** Where the number stands. @param next the least rating above the class; ignored where several limit */
  indexOf(rating: number, mask: number, next: number): number;
}

/** Makes the table for a sector with so many factors. */
export function stateNumbers(factors: number): StateNumbers {
  const masks = 2 ** factors;
  const indexOf = (rating: number, mask: number, next: number) => (rating * masks + mask) * (best + 1) + next;
  const numbers = new Uint16Array((best + 1) * masks * (best + 1));
  for (const [index, { class: rating, mask, next }] of limitStates(factors).entries()) {
    const nexts = next === 0 ? [0, 1, 2, 3, 4, 5] : [next];
    for (const each of nexts) numbers[indexOf(rating, mask, each)] = firstState + index;
  }
  return { numbers, indexOf };
}
