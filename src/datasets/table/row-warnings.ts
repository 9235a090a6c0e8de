import type { Warning } from '../../geo/findings.ts';
import { listed, quoted, readable } from '../../common/readable.ts';
import type { ColumnFormats } from './columns.ts';
import type { DistrictTally } from './district-tally.ts';

/** A file may have thousands of columns. */
const maxCommaWarnings = 50;
const maxNameCharacters = 255;

/** Warns of columns whose commas do not say how they read. */
export function commaWarnings(formats: ColumnFormats): Warning[] {
  const warnings = formats.flatMap(({ column, commas }): Warning[] => {
    const warning = commas === 'mixed' || commas === 'ambiguous' ? commaMessages[commas] : undefined;
    return warning === undefined
      ? []
      : [
          {
            code: warning.code,
            message: `Column "${readable(column, maxNameCharacters)}" ${warning.message}`,
          },
        ];
  });
  return warnings.slice(0, maxCommaWarnings);
}

const commaMessages = {
  mixed: {
    code: 'mixed_decimal_comma',
    message: 'has decimal commas and commas between thousands; each of its cells was read by itself.',
  },
  ambiguous: {
    code: 'ambiguous_decimal_comma',
    message:
      'has exactly three digits after each comma, which may part thousands; they were read as decimal commas.',
  },
} as const;

/** Warns when rows were skipped because they have no code. */
export function codeWarnings(
  katoColumn: string,
  { read, skipped }: { readonly read: number; readonly skipped: number },
): Warning[] {
  if (skipped === 0) return [];
  const message = `${skipped} of ${read} rows have no code in column "${readable(katoColumn, maxNameCharacters)}" and were skipped.`;
  return [{ code: 'rows_without_code', message }];
}

/** Warns of codes that no district has: their rows are not on the map. When it is all of them, the column is suspect. */
export function districtWarnings(katoColumn: string, tally: DistrictTally): Warning[] {
  const { rows, withoutDistrict } = tally;
  if (withoutDistrict === 0) return [];
  const column = `column ${quoted(katoColumn)}`;
  const first = listed(tally.codes.map(quoted));
  const message =
    withoutDistrict < rows
      ? `${withoutDistrict} of ${rows} rows that have a code in ${column} have one that no district had at the extraction, so they are not on the map. The first of these codes: ${first}.`
      : `None of the ${rows} rows that have a code in ${column} has one that a district had at the extraction, so the map is empty. The first codes: ${first}. This is probably not the column of KATO codes; send a mapping with the one that is.`;
  return [{ code: 'codes_without_district', message }];
}
