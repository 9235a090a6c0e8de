import type { Band } from './bands.ts';
import type { LandscapeParams, ParamName } from './params.ts';
import { type Lookup, rate, type RatingTable } from './rating.ts';

/** Returns the value of a band for a pixel; undefined if it is missing. */
export type ValueOf = (band: Band) => number | undefined;

/** A quantity that a node rates or computes from its inputs. */
export interface Quantity {
  /** The key of the band, or a name within the node. */
  readonly name: string;
  /** Its bands; a single band is the quantity itself, unless `value` differs. */
  readonly bands: readonly Band[];
  /** Computes the quantity as the kernel does; undefined if a band has no value. */
  readonly value: (valueOf: ValueOf) => number | undefined;
  /** The rating table of the kernel; undefined if the quantity is not rated. */
  readonly table: RatingTable | Lookup | undefined;
}

/** A quantity with its value and rating for a pixel. */
export interface Rated {
  readonly quantity: Quantity;
  readonly value: number | undefined;
  /** Undefined without a value, or without a table. */
  readonly rating: number | undefined;
}

/** A threshold that was tested for a zone. */
export interface ThresholdTest {
  readonly param: ParamName;
  readonly threshold: number;
  readonly suitability: number;
  readonly isMet: boolean;
}

/** The reason for the value of a node. */
export interface Decision {
  readonly rule:
    | 'neighbourhood'
    | 'formula'
    | 'classes'
    | 'least_rating'
    | 'greatest_rating'
    | 'floor'
    | 'thresholds'
    | 'order'
    | 'combination'
    | 'not_allocable';
  /** Names of the deciding quantities or conditions; all of them if several decide. */
  readonly by: readonly string[];
  /** The value, if it follows from the rule alone; equal to that of the kernel. */
  readonly value?: number;
  /** Tests in their order. */
  readonly tests?: readonly ThresholdTest[];
}

/** The explanation of the values of a node. */
export interface Explanation {
  readonly quantities: readonly Quantity[];
  /** Called for pixels with a value. */
  readonly decide: Decide;
}

export type Decide = (rated: readonly Rated[], valueOf: ValueOf, params: LandscapeParams) => Decision;

/** Returns the quantity of a single band. */
export function quantityOf(band: Band, table?: RatingTable | Lookup, name = band.key): Quantity {
  return { name, bands: [band], value: (valueOf) => valueOf(band), table };
}

/** Rates the quantities of a pixel as kernels do. */
export function ratedIn(quantities: readonly Quantity[], valueOf: ValueOf): readonly Rated[] {
  return quantities.map((quantity) => {
    const value = quantity.value(valueOf);
    return { quantity, value, rating: ratingOf(quantity.table, value) };
  });
}

function ratingOf(table: Quantity['table'], value: number | undefined): number | undefined {
  if (table === undefined || value === undefined) return undefined;
  return table instanceof Float64Array ? table[value] : rate(table, value);
}

/** Returns the names of the quantities with the least, or the greatest, rating. */
export function extremes(rated: readonly Rated[], extreme: 'least' | 'greatest'): readonly string[] {
  const ratings = rated.flatMap(({ rating }) => rating ?? []);
  const wanted = extreme === 'least' ? Math.min(...ratings) : Math.max(...ratings);
  return rated.filter(({ rating }) => rating === wanted).map(({ quantity }) => quantity.name);
}

/** Decides by a formula alone; names the scores that raise the index most. */
export const byFormula: Decide = (rated) => ({ rule: 'formula', by: extremes(rated, 'greatest') });

/** Decides by the law of the minimum. */
export const byLeastRating: Decide = (rated) => ({
  rule: 'least_rating',
  by: extremes(rated, 'least'),
  value: Math.min(...rated.flatMap(({ rating }) => rating ?? [])),
});
