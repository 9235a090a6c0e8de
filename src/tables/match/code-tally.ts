import { z } from 'zod';
import { republicCode } from '../../../common/maps/units/levels.ts';
import { isKatoCode } from '../../../common/table/kato-code.ts';
import { classifier } from '../../units/classifier/classifier.ts';
import { withoutBorders } from '../../units/classifier/without-borders.ts';
import type { MatchFigures } from './match-schema.ts';

/** Maximum number of different codes with their own counter; the classifier has fewer. */
const maxCodes = 20_000;
const maxShown = 50;

/** Stored counts of the codes of a column; they are matched with the districts when read. */
export const CodeTally = z.object({
  rows: z.int(),
  without_code: z.int(),
  /** Rows whose code exceeded the maximum number of counters. */
  uncounted: z.int(),
  /** Code, number of rows, and first row from 1. */
  codes: z.array(z.tuple([z.string(), z.int(), z.int()])),
});
export type CodeTally = z.infer<typeof CodeTally>;

/** Counts the codes of a column row by row; those of districts always. Memory does not grow with the rows. */
export function createCodeTally(districts: ReadonlySet<string>) {
  const codes = new Map<string, { rows: number; readonly first: number }>();
  let [rows, withoutCode, uncounted] = [0, 0, 0];
  return {
    /** @param code undefined for a row without one */
    add(code: string | undefined): void {
      rows += 1;
      if (code === undefined) withoutCode += 1;
      else {
        const known = codes.get(code);
        if (known !== undefined) known.rows += 1;
        else if (codes.size < maxCodes || districts.has(code)) codes.set(code, { rows: 1, first: rows });
        else uncounted += 1;
      }
    },
    result: (): CodeTally => ({
      rows,
      without_code: withoutCode,
      uncounted,
      codes: [...codes].map(([code, { rows, first }]) => [code, rows, first]),
    }),
  };
}

/** Matches the codes of a column with the districts. */
export function matchOf(tally: CodeTally, districts: ReadonlySet<string>): MatchFigures {
  const entries = tally.codes.map(([code, rows, first]) => ({ kato_code: code, rows, first_row: first }));
  const units = entries.filter(({ kato_code: code }) => districts.has(code));
  const unknown = entries
    .filter(({ kato_code: code }) => !districts.has(code))
    .map((entry) => ({ ...entry, within: districtOf(entry.kato_code, districts) }));
  const { byLevel } = classifiedOf(tally, districts);
  const repeated = entries.filter(({ rows }) => rows > 1);
  return {
    rows: tally.rows,
    with_district: sumOf(units),
    without_code: tally.without_code,
    below_district: sumOf(unknown.filter(({ within }) => within !== null)),
    uncounted_rows: tally.uncounted,
    units,
    unknown_codes: listOf(unknown),
    repeated_codes: listOf(repeated),
    ...(byLevel.length === 0 ? {} : { without_borders: byLevel }),
  };
}

/** Returns the codes of a column that the classifier has and that no border has, with their rows. */
export function classifiedOf(tally: CodeTally, districts: ReadonlySet<string>) {
  const { units } = classifier();
  // Nine zeros stand for the country or for nothing, and the classifier does not list them.
  const found = tally.codes.filter(
    ([code]) => !districts.has(code) && code !== republicCode && units.has(code),
  );
  return {
    units: found.length,
    rows: found.reduce((sum, [, rows]) => sum + rows, 0),
    codes: found.map(([code]) => code),
    byLevel: withoutBorders(found.map(([code, rows]) => ({ kato_code: code, rows }))),
  };
}

/** Returns the district or city of the place with a code; null if there is none. */
function districtOf(code: string, districts: ReadonlySet<string>): string | null {
  const district = `${code.slice(0, 4)}00000`;
  return isKatoCode(code) && districts.has(district) ? district : null;
}

function sumOf(entries: readonly { readonly rows: number }[]): number {
  return entries.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the first items of a list and the total number. */
export function listOf<T>(items: readonly T[]): { total: number; items: T[] } {
  return { total: items.length, items: items.slice(0, maxShown) };
}
