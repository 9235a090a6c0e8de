import assert from 'node:assert/strict';
import { readWorkbook } from '../../console/src/spreadsheets/files/read.ts';
import type { Cell, Choice, Sheet, Table } from '../../console/src/spreadsheets/model/types.ts';
import { understand } from '../../console/src/spreadsheets/understanding/understand.ts';
import { widen } from '../../console/src/spreadsheets/understanding/widen.ts';
import { type SheetCell, type Sheet as Written, workbook } from '../support/tables/workbooks.ts';

export async function sheetOf(bytes: Uint8Array, file: string): Promise<Sheet> {
  const { sheets } = await readWorkbook(Uint8Array.from(bytes), file);
  const [sheet] = sheets;
  assert.ok(sheet !== undefined);
  return sheet;
}

export async function read(
  content: string | Omit<Written, 'name'> | Uint8Array,
  choice: Choice = {},
): Promise<Table> {
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  const bytes =
    typeof content === 'string'
      ? new TextEncoder().encode(content)
      : content instanceof Uint8Array
        ? content
        : workbook([{ name: 'Лист1', ...content }]);
  const table = understand(await sheetOf(bytes, isText ? 'a.csv' : 'a.xlsx'), choice);
  return table.isLong ? widen(table) : table;
}

/** Columns with a time, each with its values. */
export const dated = ({ columns, rows }: Table) =>
  Object.fromEntries(
    columns.flatMap(({ period }, index) => {
      if (period === undefined) return [];
      const values: (Cell | undefined)[] = rows.map((row) => row[index] ?? null);
      return [[`${period.start_date}/${period.end_date ?? ''}`, values]];
    }),
  );
export const remarks = ({ remarks: all }: Table) => all.map(({ code, count }) => `${code} ${count}`);
export const rolesOf = ({ columns }: Table) => columns.map(({ name, role }) => `${name}: ${role}`);
export const year = (of: number) => `${of}-01-01/${of}-12-31`;

export const regions = ['Абай', 'Акмолинская', 'Актюбинская', 'Алматинская'];
/** A table of regions below a header of several lines. */
export const below = (lines: readonly (readonly SheetCell[])[], width: number): SheetCell[][] => [
  ...lines.map((line) => [...line]),
  ...regions.map((region, row) => [region, ...Array.from({ length: width }, (_, at) => 10 * row + at)]),
];
export const valuesAt = (at: number) => regions.map((_, row) => 10 * row + at);
