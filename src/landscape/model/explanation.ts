import type { Band } from './bands.ts';
import type { LandscapeParams, ParamName } from './params.ts';
import { type Lookup, rate, type RatingTable } from './rating.ts';

/** The value of a band in a pixel; undefined without one. */
export type ValueOf = (band: Band) => number | undefined;

/** What a node rates, or makes of its inputs on the way to its output. */
export interface Quantity {
  /** The key of the band, or a name of the node's own. */
  readonly name: string;
  /** The bands that it is made of: the only one is the quantity itself, unless `value` says otherwise. */
  readonly bands: readonly Band[];
  /** Computes it as the kernel does; undefined where a band has no value. */
  readonly value: (valueOf: ValueOf) => number | undefined;
  /** What rates it, the very table of the kernel; undefined when it is not rated. */
  readonly table: RatingTable | Lookup | undefined;
}

/** A quantity in a pixel. */
export interface Rated {
  readonly quantity: Quantity;
  readonly value: number | undefined;
  /** Undefined where it has no value, or no table. */
  readonly rating: number | undefined;
}

/** A threshold that was tested for a zone. */
export interface ThresholdTest {
  readonly param: ParamName;
  readonly threshold: number;
  readonly suitability: number;
  readonly isMet: boolean;
}

/** What has decided the value of a node where it has one. */
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
  /** Names of the quantities or conditions that decide; all of them where several do. */
  readonly by: readonly string[];
  /** The value that follows, where the rule alone leads to it: what the kernel computes. */
  readonly value?: number;
  /** In the order in which they are tested. */
  readonly tests?: readonly ThresholdTest[];
}

/** How a node explains the value of a pixel. */
export interface Explanation {
  readonly quantities: readonly Quantity[];
  /** Called where the node has a value. */
  readonly decide: Decide;
}

export type Decide = (rated: readonly Rated[], valueOf: ValueOf, params: LandscapeParams) => Decision;

/** The quantity that a band itself is. */
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

/** Names of the quantities with the least rating, or with the greatest. */
export function extremes(rated: readonly Rated[], extreme: 'least' | 'greatest'): readonly string[] {
  const ratings = rated.flatMap(({ rating }) => rating ?? []);
  const wanted = extreme === 'least' ? Math.min(...ratings) : Math.max(...ratings);
  return rated.filter(({ rating }) => rating === wanted).map(({ quantity }) => quantity.name);
}

/** Decides where a formula alone does; the scores that raise the index most are named. */
export const byFormula: Decide = (rated) => ({ rule: 'formula', by: extremes(rated, 'greatest') });

/** Decides by the law of the minimum. */
export const byLeastRating: Decide = (rated) => ({
  rule: 'least_rating',
  by: extremes(rated, 'least'),
  value: Math.min(...rated.flatMap(({ rating }) => rating ?? [])),
});
