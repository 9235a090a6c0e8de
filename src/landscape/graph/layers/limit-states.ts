/** The greatest suitability; the least is 1. */
const best = 5;

/**
 * The information in the ratings of a pixel about its class, its limits, and its class if any one rating were the greatest: the class,
 * the factors with the least rating and, for a single limiting factor, the least of the other ratings.
 */
export interface LimitState {
  /** The least rating, from 1 to 5. */
  readonly class: number;
  /** Bit i is set if factor i has the least rating; all bits are set in class 5. */
  readonly mask: number;
  /** The least of the other ratings if one factor alone limits; otherwise 0. */
  readonly next: number;
}

/** The value of a pixel with a factor without a value, or with unknown land cover. */
export const noLimitState = 0;
/** The value of a pixel of land not allocable. */
export const notAllocableState = 1;
/** The number of the first state. */
export const firstState = 2;

/** Lists the states of a sector with a number of factors, at most 8; state n is at index n - `firstState`. */
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

/** Returns the class of a state if the rating of one factor were the greatest. @param factor index of its bit */
export function relievedClass({ class: rating, mask, next }: LimitState, factor: number): number {
  return mask === 1 << factor ? next : rating;
}

/** A table from the ratings of a pixel to the number of its state. */
export interface StateNumbers {
  readonly numbers: Uint16Array;
  /** Returns the index of the number. @param next the least rating above the class; ignored if several factors limit */
  indexOf(rating: number, mask: number, next: number): number;
}

/** Creates the table for a sector with a number of factors. */
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
