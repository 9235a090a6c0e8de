import { createSpreadsheetSession } from '../../console/src/spreadsheets/spreadsheet-session.ts';
import type { Cell, Column, Table } from '../../console/src/spreadsheets/model/types.ts';
import type { Correction, Spreadsheet, Time, Truth } from './truth.ts';

export interface Read {
  readonly session: ReturnType<typeof createSpreadsheetSession>;
  /** True if the sheet has one row for each unit and time, and was widened. */
  readonly isLong: boolean;
  /** The table with one row for each unit. */
  readonly table: Table;
}

/**
 * Reads a file as the page does: the sheet shown first, or the one chosen by hand.
 * @throws {SpreadsheetFault}
 */
export async function readSheet(bytes: Uint8Array, file: string, correction?: Correction): Promise<Read> {
  const session = createSpreadsheetSession();
  const { sheets, best } = await session.open(new Blob([Uint8Array.from(bytes)]), file);
  const chosen = sheets.findIndex(({ name }) => name === correction?.sheet);
  const { table, wide } = session.understand(chosen === -1 ? best : chosen, {});
  const isLong = wide !== undefined;
  const facts = wide ?? table;
  const all = { count: facts.rowCount, columns: facts.columns.length };
  const { rows, numbers } = session.rows(isLong, 0, all);
  return { session, isLong, table: { ...facts, rows, rowNumbers: numbers, cellRemarks: [] } };
}

/** The column of the units: codes, if there are any. */
export function keyOf({ columns }: Table): Column | undefined {
  return columns.find(({ role }) => role === 'code') ?? columns.find(({ role }) => role === 'name');
}

/** Rows as the page sends them to the service to find their units: codes alone, or names with their regions. */
export function askedRows({ session, isLong, table }: Read) {
  const code = table.columns.findIndex(({ role }) => role === 'code');
  if (code === -1) return session.places(isLong);
  return table.rows.map((row) => ({ name: String(row[code] ?? '') }));
}

/** Columns for the times of the truth, in order: one for each, or the reason for its absence. */
export function valueColumns(table: Table, truth: Truth, correction?: Correction): (Column | string)[] {
  const values = table.columns.filter(
    ({ name, role }) =>
      role === 'value' && (correction?.indicator === undefined || isAbout(name, correction.indicator)),
  );
  return truth.times.map((time) => {
    const wanted =
      correction?.time === undefined ? values.filter(({ period }) => isSame(period, time)) : values;
    const [only] = wanted;
    return wanted.length === 1 && only !== undefined
      ? only
      : `${wanted.length} columns for ${time.start_date} of ${values.map(({ name }) => name).join(', ')}`;
  });
}

/** The content of the table in a form that can be compared with the truth. */
export function found(table: Table, { truth, correction, units }: Spreadsheet) {
  const columns = valueColumns(table, truth, correction);
  const key = keyOf(table);
  const at = (row: readonly Cell[], column: Column | undefined) =>
    column === undefined ? null : (row[table.columns.indexOf(column)] ?? null);
  return {
    key: key?.role,
    columns: columns.map((column) => (typeof column === 'string' ? column : 'one')),
    rows: sorted(
      table.rows
        .map((row) => ({
          label: plain(String(at(row, key) ?? '')),
          values: columns.map((column) => (typeof column === 'string' ? null : at(row, column))),
        }))
        .filter(
          ({ label }) => label !== '' && !(units === 'codes' ? isNoUnit.test(label) : isTotal.test(label)),
        ),
    ),
  };
}

/** The truth in the form of `found`. */
export function expected({ truth, units }: Spreadsheet) {
  return {
    key: units === 'codes' ? 'code' : 'name',
    columns: truth.times.map(() => 'one'),
    rows: sorted(truth.rows.map(({ label, values }) => ({ label: plain(label), values }))),
  };
}

const isNoUnit = /^0+$/;
const isTotal =
  /^(?:Республика Казахстан|Қазақстан Республикасы|Kazakhstan|Всего|Итого|ВСЕГО|Облыс бойынша барлығы)/;

/** Returns whether a column name equals the wanted name or contains the wanted part. */
export function isAbout(name: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? name.includes(wanted) : wanted.test(name);
}

/** A label without blanks and footnote marks around it. */
export function plain(label: string): string {
  return label
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/(?:\*+|[¹²³⁾]+| ?\d\)?)$/, (mark) => (/^\d{2}/.test(label) ? mark : ''));
}

function sorted<T>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function isSame(period: Time | undefined, time: Time): boolean {
  return period?.start_date === time.start_date && period.end_date === time.end_date;
}
