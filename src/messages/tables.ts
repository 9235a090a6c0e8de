import { listed, quoted, readable } from '../lib/readable.ts';
import { invalid, sentences } from './define.ts';

const named = (column: string): string => `column "${readable(column, 255)}"`;

const anotherMapping = 'POST /datasets/{id}/retry?step=mapping';

/** Reasons not to use the attribute table of a file. */
export const tableProblems = sentences('table', {
  noColumns: invalid(
    () =>
      'The file has no columns, so there is nothing to map: add a column with KATO codes and at least one column with values.',
  ),
  longRow: invalid(
    (row: number, millions: number) =>
      `Row ${row} of the attribute table has more than ${millions} million characters; shorten its texts or remove columns, and upload the file again.`,
  ),
  columnGone: invalid(
    (column: string) => `The file has no column "${column}" any more; upload it again and map it again.`,
  ),
  longCode: invalid(
    (cell: LongCell) =>
      `${describe(cell)}; ask for another mapping (${anotherMapping}) and map the column that holds KATO codes.`,
  ),
  longValue: invalid(
    (cell: LongCell) =>
      `${describe(cell)}; ask for another mapping (${anotherMapping}) and map columns that hold values.`,
  ),
  tooMuchText: invalid(
    (code: string, mebibytes: number) =>
      `The texts of code "${code}" have more than ${mebibytes} MiB together, which is more than a map can show; ask for another mapping (${anotherMapping}) and map columns that hold values.`,
  ),
});

interface LongCell {
  readonly column: string;
  /** In UTF-16 units. */
  readonly length: number;
  /** From 1. */
  readonly row: number;
}

function describe({ column, length, row }: LongCell): string {
  return `Column "${column}" holds a text of ${length} characters in row ${row}`;
}

/** Messages of warnings about the rows of a table. */
export const tableWarnings = sentences('table_warning', {
  mixedCommas: (column: string) =>
    `C${named(column).slice(1)} has decimal commas and commas between thousands; each of its cells was read by itself.`,
  ambiguousCommas: (column: string) =>
    `C${named(column).slice(1)} has exactly three digits after each comma, which may separate thousands; they were read as decimal commas.`,
  rowsWithoutCode: (column: string, { read, skipped }: { readonly read: number; readonly skipped: number }) =>
    `${skipped} of ${read} rows have no code in ${named(column)} and were skipped.`,
  codesRepaired: (column: string, { text, code, rows }: { text: string; code: string; rows: number }) =>
    `${rows === 1 ? 'One row has' : `${rows} rows have`} a code in ${named(column)} that another program had changed; ${rows === 1 ? 'it was' : 'they were'} read as the nine digits of a KATO code, such as ${quoted(text)} as ${code}.`,
  codesShortened: (column: string, { text, rows }: { text: string; rows: number }) =>
    `${rows === 1 ? 'One code' : `${rows} codes`} in ${named(column)} ${rows === 1 ? 'is a text' : 'are texts'} with an exponent, such as ${quoted(text)}, which may have lost digits. Compare ${rows === 1 ? 'it' : 'them'} with the source; format the column as text before you export it again.`,
  codesWithoutDistrict(
    column: string,
    { rows, withoutDistrict, codes }: { rows: number; withoutDistrict: number; codes: readonly string[] },
  ): string {
    const where = `column ${quoted(column)}`;
    const first = listed(codes.map(quoted));
    if (withoutDistrict < rows)
      return `${withoutDistrict} of ${rows} rows that have a code in ${where} have one that no district had at the extraction, so they are not on the map. The first of these codes: ${first}.`;
    return `None of the ${rows} rows that have a code in ${where} has one that a district had at the extraction, so the map is empty. The first codes: ${first}. This is probably not the column of KATO codes; send a mapping with the one that is.`;
  },
});
