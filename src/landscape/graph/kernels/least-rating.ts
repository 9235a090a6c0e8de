import { classNoData, floatNoData } from '../../model/bands.ts';
import { type Lookup, rate, type RatingTable } from '../../model/rating.ts';
import { allocableLand } from './allocable.ts';

/** What `rateByLeast` computes, for the descriptions of nodes. */
export const leastRatingFormula =
  'The least of the ratings of its factors (law of the minimum), from 1 to 5, on allocable land; none where a factor has no value.';

interface Factors {
  readonly allocable: Uint8Array;
  readonly [name: string]: Float32Array | Uint8Array;
}

/**
 * Rates allocable land, 1 to 5, by the least of the ratings of its factors. Goes over the tile once for each factor, so
 * that every loop is over arrays of one type.
 * @throws {Error} when a table has no pixels of its name and type.
 */
export function rateByLeast(
  factors: Factors,
  tables: Readonly<Record<string, RatingTable | Lookup>>,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    suitability[i] = factors.allocable[i] === allocableLand ? 5 : classNoData;
  }
  for (const [name, table] of Object.entries(tables)) {
    const pixels = factors[name];
    if (pixels instanceof Float32Array && 'breaks' in table) limitByNumber(suitability, pixels, table);
    else if (pixels instanceof Uint8Array && !('breaks' in table)) limitByClass(suitability, pixels, table);
    else throw new Error(`the factor ${name} has no pixels that its table rates`);
  }
}

function limitByNumber(suitability: Uint8Array, pixels: Float32Array, table: RatingTable): void {
  for (let i = 0; i < suitability.length; i++) {
    const so = suitability[i] ?? classNoData;
    if (so === classNoData) continue;
    const value = pixels[i] ?? floatNoData;
    suitability[i] = value === floatNoData ? classNoData : Math.min(so, rate(table, value));
  }
}

function limitByClass(suitability: Uint8Array, pixels: Uint8Array, table: Lookup): void {
  for (let i = 0; i < suitability.length; i++) {
    suitability[i] = Math.min(suitability[i] ?? classNoData, table[pixels[i] ?? classNoData] ?? classNoData);
  }
}
