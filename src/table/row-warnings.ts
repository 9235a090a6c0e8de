import type { Database } from '../database/tables/tables.ts';
import type { Warning } from '../geo/findings.ts';
import { warningOf } from '../geo/gather-findings.ts';
import { tableWarnings } from '../messages/tables/english.ts';
import type { ColumnFormats } from './columns.ts';
import type { ReadCode } from './kato-code.ts';
import type { YearColumn } from './mapping-schema.ts';

/** A file may have thousands of columns. */
const maxCommaWarnings = 50;
const maxShownCodes = 5;

/** Warns of columns with ambiguous commas or points. */
export function separatorWarnings(formats: ColumnFormats): Warning[] {
  const warnings = formats.flatMap(({ column, commas, points }): Warning[] => [
    ...(commas === 'mixed' ? [warningOf('mixed_decimal_comma', tableWarnings.mixedCommas(column))] : []),
    ...(commas === 'ambiguous'
      ? [warningOf('ambiguous_decimal_comma', tableWarnings.ambiguousCommas(column))]
      : []),
    ...(points === 'mixed' ? [warningOf('ambiguous_decimal_point', tableWarnings.mixedPoints(column))] : []),
    ...(points === 'ambiguous'
      ? [warningOf('ambiguous_decimal_point', tableWarnings.ambiguousPoints(column))]
      : []),
  ]);
  return warnings.slice(0, maxCommaWarnings);
}

/** Names the columns whose numbers were multiplied. */
export function conversionWarnings(columns: readonly YearColumn[]): Warning[] {
  const warnings = columns.flatMap(({ column, factor, unit = '', source_unit: from = '' }): Warning[] =>
    factor === undefined
      ? []
      : [warningOf('values_converted', tableWarnings.converted(column, { factor, from, to: unit }))],
  );
  return warnings.slice(0, maxCommaWarnings);
}

/** Warns if rows without a code were skipped. */
export function codeWarnings(
  katoColumn: string,
  rows: { readonly read: number; readonly skipped: number },
): Warning[] {
  if (rows.skipped === 0) return [];
  return [warningOf('rows_without_code', tableWarnings.rowsWithoutCode(katoColumn, rows))];
}

/** The part of a match that the warning needs. */
interface Match {
  readonly rows: number;
  readonly with_district: number;
  readonly without_code: number;
  readonly unknown_codes: { readonly items: readonly { readonly kato_code: string }[] };
}

/** Codes without a border that the classifier has. */
interface Classified {
  readonly units: number;
  readonly rows: number;
  readonly codes: readonly string[];
}
const noUnits: Classified = { units: 0, rows: 0, codes: [] };

/** Warns of units of the classifier without a border: their rows are kept, and not on the map. */
export function borderWarnings(katoColumn: string, { units, rows, codes }: Classified): Warning[] {
  if (units === 0) return [];
  const message = tableWarnings.unitsWithoutBorder(katoColumn, {
    rows,
    units,
    codes: codes.slice(0, maxShownCodes),
  });
  return [warningOf('units_without_border', message)];
}

/** Warns of codes that neither a district nor a unit of the classifier has: their rows are not on the map. */
export function districtWarnings(katoColumn: string, match: Match, classified = noUnits): Warning[] {
  const rows = match.rows - match.without_code;
  const withoutDistrict = rows - match.with_district - classified.rows;
  if (withoutDistrict === 0) return [];
  const known = new Set(classified.codes);
  const codes = match.unknown_codes.items
    .map(({ kato_code: code }) => code)
    .filter((code) => !known.has(code))
    .slice(0, maxShownCodes);
  const message = tableWarnings.codesWithoutDistrict(katoColumn, { rows, withoutDistrict, codes });
  return [warningOf('codes_without_district', message)];
}

/** Warns of units with several rows: a map shows the last one. */
export function repeatedCodeWarnings(
  katoColumn: string,
  { units }: { readonly units: readonly { readonly kato_code: string; readonly rows: number }[] },
): Warning[] {
  const repeated = units.filter(({ rows }) => rows > 1);
  if (repeated.length === 0) return [];
  const rows = repeated.reduce((sum, unit) => sum + unit.rows, 0);
  const codes = repeated.slice(0, maxShownCodes).map(({ kato_code: code }) => code);
  const message = tableWarnings.codesRepeated(katoColumn, { units: repeated.length, rows, codes });
  return [warningOf('codes_repeated', message)];
}

/** Warns of codes that were read differently from the file, and of those that may have lost digits earlier. */
export function repairWarnings(katoColumn: string, { first, rows, shortened }: RepairTally): Warning[] {
  if (first === undefined) return [];
  const message = tableWarnings.codesRepaired(katoColumn, { ...first, rows });
  const repaired = warningOf('codes_repaired', message);
  if (shortened === undefined) return [repaired];
  return [repaired, warningOf('codes_repaired', tableWarnings.codesShortened(katoColumn, shortened))];
}

/** Counts of rows with a repaired code, and the first text of each kind. */
interface RepairTally {
  readonly rows: number;
  readonly first: { readonly text: string; readonly code: string } | undefined;
  readonly shortened: { readonly text: string; readonly rows: number } | undefined;
}

/** Creates a counter of repaired codes. */
export function createRepairTally() {
  let [rows, shortenedRows] = [0, 0];
  let first: RepairTally['first'];
  let shortened: string | undefined;
  return {
    add({ katoCode, repairedFrom, isShortened }: ReadCode): void {
      if (repairedFrom === undefined) return;
      const text = shown(repairedFrom);
      rows += 1;
      first ??= { text, code: katoCode };
      if (isShortened !== true) return;
      shortenedRows += 1;
      shortened ??= text;
    },
    result: (): RepairTally => ({
      rows,
      first,
      shortened: shortened === undefined ? undefined : { text: shortened, rows: shortenedRows },
    }),
  };
}

/** Replaces invisible characters by their code points. */
function shown(text: string): string {
  return text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `<U+${number.padStart(4, '0')}>`;
  });
}

export async function readDistrictCodes(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('districts').select('kato_code').execute();
  return new Set(rows.map(({ kato_code: code }) => code));
}
