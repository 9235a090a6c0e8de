import { readPeriods } from '../../../common/table/periods.ts';
import { bodyRows, isTotal, type NumberedRow, partRows, readRows } from './body.ts';
import { letterOf, lineOf, periodOf } from './cells.ts';
import { findHeaderOverHeading, nextHeader, partBlocks } from './blocks.ts';
import { namesOf, topLines } from './header.ts';
import { guessRoles } from './roles.ts';
import { createTally, type Tally } from './tally.ts';
import { turned } from './turn.ts';
import {
  type Cell,
  type Choice,
  type Column,
  type Period,
  type Sheet,
  SpreadsheetFault,
  type Table,
} from './types.ts';

/** The service takes no table with more. */
const maxColumns = 10_000;
const maxTitleCharacters = 400;
const maxNotes = 20;

/**
 * Finds the table in a sheet: its header, the roles of its columns, its rows without titles and footnotes.
 * @throws {SpreadsheetFault} where there is none.
 */
export function understand(sheet: Sheet, choice: Choice = {}): Table {
  if (sheet.fault !== undefined) throw sheet.fault;
  const upright = choice.header === undefined ? turned(sheet) : undefined;
  if (upright !== undefined) {
    const table = understandUpright(upright, choice);
    return { ...table, remarks: [{ code: 'turned', count: table.rows.length }, ...table.remarks] };
  }
  return understandUpright(sheet, choice);
}

function understandUpright(sheet: Sheet, choice: Choice): Table {
  const tally = createTally();
  const lines = topLines(sheet);
  const headerRows = choice.header ?? findHeaderOverHeading(lines);
  const start = headerRows.first + headerRows.count;
  const width = sheet.rows
    .slice(headerRows.first)
    .reduce((widest, { length }) => Math.max(widest, length), 0);
  const names = namesOf(lines, headerRows, width);
  const rows = bodyRows(sheet, start, names);
  if (width === 0 || rows.length === 0) throw new SpreadsheetFault('noTable', sheet.name);
  if (headerRows.count === 0) tally.add('noHeader');
  const used = usedColumns(names, rows);
  if (used.length > maxColumns) throw new SpreadsheetFault('tooManyCells', sheet.name);
  const title = titleOf(lines.slice(0, headerRows.first).map(({ cells }) => cells));
  const guessed = columnsOf({ used, names, rows }, choice, tally);
  const dated = datedBy(guessed, title, sheet.name, tally);
  const end = nextHeader(rows, dated);
  const parted = partRows(
    rows.filter(({ number }) => number < end),
    dated,
  );
  const { kept, headings, blocks } = partBlocks(parted, dated);
  if (kept.length === 0) throw new SpreadsheetFault('noTable', sheet.name);
  const cells = readRows(kept, dated, tally);
  const { columns, table } =
    blocks === undefined ? withRegions(dated, cells, kept, headings) : withBlocks(dated, cells, blocks);
  if (!hasValues(columns, table)) throw new SpreadsheetFault('noTable', sheet.name);
  const below = [...parted.below, ...rows.filter(({ number }) => number >= end)];
  remarkTotals(columns, table, kept, tally);
  for (const { number, cells: left } of [...headings, ...below])
    tally.add('rowsLeftOut', { row: number, text: textOf(left) });
  if (sheet.formulasWithoutValue > 0)
    tally.add('formulasWithoutValue', { count: sheet.formulasWithoutValue });
  if (!columns.some(({ role }) => role === 'code' || role === 'name')) tally.add('noKey');
  return {
    title,
    headerRows,
    columns,
    rows: table,
    rowNumbers: kept.map(({ number }) => number),
    notes: below.slice(0, maxNotes).map((row) => textOf(row.cells)),
    isLong: isLong(columns, table),
    remarks: tally.remarks(),
  };
}

/** The places of columns that have a name or a cell. */
function usedColumns(names: readonly string[], rows: readonly NumberedRow[]): readonly number[] {
  const isFilled = names.map((name) => name !== '');
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries()) if (cell !== null) isFilled[column] = true;
  return [...isFilled.keys()].filter((column) => isFilled[column]);
}

function columnsOf(
  {
    used,
    names,
    rows,
  }: {
    readonly used: readonly number[];
    readonly names: readonly string[];
    readonly rows: readonly NumberedRow[];
  },
  { roles: chosen }: Choice,
  tally: Tally,
): readonly Column[] {
  const named = used.map((source) => names[source] ?? '');
  // Lines with one cell at the end are no rows, and would spoil the guess.
  const last = rows.findLastIndex(({ cells }) => cells.filter((cell) => cell !== null).length > 1);
  const cells = rows.slice(0, last + 1).map((row) => used.map((source) => row.cells[source] ?? null));
  const roles = guessRoles(named, cells);
  const taken = new Set<string>();
  const columns = used.map((source, index): Column => {
    const wanted = named[index] === undefined || named[index] === '' ? letterOf(source) : named[index];
    let name = wanted;
    for (let again = 2; taken.has(name); again += 1) name = `${wanted} (${again})`;
    if (name !== wanted) tally.add('namesRepeated', { text: wanted });
    taken.add(name);
    return { name, role: chosen?.get(source) ?? roles[index] ?? 'note', source };
  });
  const periods = readPeriods(columns.map(({ name }) => name));
  return columns.map((column, index) => {
    const period = column.role === 'value' ? periods[index] : undefined;
    return period === undefined ? column : { ...column, period: boundsOf(period) };
  });
}

function boundsOf({ start_date, end_date }: Period): Period {
  return { start_date, end_date };
}

/** Where no column says its time, the title or the name of the sheet may say it for all. */
function datedBy(
  columns: readonly Column[],
  title: string | undefined,
  sheetName: string,
  tally: Tally,
): readonly Column[] {
  if (columns.some(({ role, period }) => role === 'period' || period !== undefined)) return columns;
  const text = [title, sheetName].find((each) => each !== undefined && periodOf(each) !== undefined);
  const found = text === undefined ? undefined : periodOf(text);
  if (found === undefined || text === undefined) return columns;
  const { start_date, end_date, kind } = found;
  const label =
    kind === 'year'
      ? start_date.slice(0, 4)
      : [start_date, ...(end_date === null ? [] : [end_date])].join(' – ');
  const values = columns.filter(({ role }) => role === 'value');
  if (values.length > 0) tally.add('periodAbove', { text, became: label, count: values.length });
  return columns.map((column) =>
    column.role === 'value'
      ? { ...column, name: `${column.name} (${label})`, period: { start_date, end_date } }
      : column,
  );
}

/** Headings that name a region become a column of it, where no column has it. */
function withRegions(
  columns: readonly Column[],
  rows: (readonly Cell[])[],
  kept: readonly NumberedRow[],
  headings: readonly NumberedRow[],
): { readonly columns: readonly Column[]; readonly table: readonly (readonly Cell[])[] } {
  const isNeeded = headings.length > 0 && !columns.some(({ role }) => role === 'code' || role === 'region');
  if (!isNeeded) return { columns, table: rows };
  let next = 0;
  let region: Cell = null;
  const table = rows.map((cells, index) => {
    for (; (headings[next]?.number ?? Infinity) < (kept[index]?.number ?? 0); next += 1)
      region = lineOf(headings[next]?.cells.find((cell) => cell !== null));
    return [...cells, region];
  });
  const isCyrillic = headings.some(({ cells }) => /[а-я]/i.test(textOf(cells)));
  return { columns: [...columns, { name: isCyrillic ? 'Область' : 'Region', role: 'region' }], table };
}

/** Whether columns of values have one; a form to be filled in has none. */
function hasValues(columns: readonly Column[], rows: readonly (readonly Cell[])[]): boolean {
  const values = columns.flatMap(({ role }, index) => (role === 'value' ? [index] : []));
  return values.length === 0 || rows.some((row) => values.some((index) => (row[index] ?? null) !== null));
}

/** The headings of tables below each other become a column of what their rows are about. */
function withBlocks(columns: readonly Column[], rows: (readonly Cell[])[], blocks: readonly string[]) {
  const taken = new Set(columns.map(({ name }) => name));
  const [free = ''] = ['Показатель', 'Показатель (2)'].filter((name) => !taken.has(name));
  const indicator: Column = { name: free, role: 'indicator' };
  return {
    columns: [...columns, indicator],
    table: rows.map((row, index) => [...row, blocks[index] ?? '']),
  };
}

function remarkTotals(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  kept: readonly NumberedRow[],
  tally: Tally,
): void {
  const name = columns.findIndex(({ role }) => role === 'name');
  for (const [index, row] of rows.entries()) {
    const number = kept[index]?.number ?? 0;
    if (name !== -1 && isTotal(row[name])) tally.add('totalsKept', { row: number, text: lineOf(row[name]) });
  }
}

/** A table is long where a place comes several times, once for each time or indicator; also where all rows are of one time. */
function isLong(columns: readonly Column[], rows: readonly (readonly Cell[])[]): boolean {
  const period = columns.findIndex(({ role }) => role === 'period');
  const isParted = period !== -1 || columns.some(({ role }) => role === 'indicator');
  if (!isParted || !columns.some(({ role }) => role === 'value')) return false;
  const keys = new Set(rows.map((row) => keyOf(columns, row)));
  return keys.size < rows.length || (period !== -1 && new Set(rows.map((row) => row[period])).size === 1);
}

/** The place of a row: its code, else its names. */
export function keyOf(columns: readonly Column[], row: readonly Cell[]): string {
  const code = columns.findIndex(({ role }) => role === 'code');
  if (code !== -1 && (row[code] ?? null) !== null) return lineOf(row[code]);
  return columns
    .map(({ role }, index) => (role === 'name' || role === 'region' ? lineOf(row[index]) : ''))
    .join('\t');
}

function titleOf(lines: readonly (readonly Cell[])[]): string | undefined {
  const title = lines
    .map(textOf)
    .filter((text) => text !== '')
    .join(' ');
  return title === '' ? undefined : title.slice(0, maxTitleCharacters);
}

function textOf(cells: readonly Cell[]): string {
  return [...new Set(cells.map(lineOf))].filter((text) => text !== '').join(' ');
}
