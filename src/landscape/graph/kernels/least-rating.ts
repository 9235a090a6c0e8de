import { classNoData, floatNoData } from '../../model/bands.ts';
import { type Lookup, rate, type RatingTable } from '../../model/rating.ts';

/** The formula of nodes that take the least of their factors' ratings. */
export const leastRatingFormula =
  'The least of the ratings of its factors (law of the minimum), from 1 to 5, on allocable land; none where a factor has no value.';

/** Rates a number, 1 to 5; no class where it has no value. */
export function rateNumber(table: RatingTable, value = floatNoData): number {
  return value === floatNoData ? classNoData : rate(table, value);
}

/** Rates a class, 1 to 5; no class where it has no rating. */
export function rateClass(table: Lookup, value = classNoData): number {
  return table[value] ?? classNoData;
}
