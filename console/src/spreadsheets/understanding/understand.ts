import { bodyRows, partRows, readRows } from './body.ts';
import { isTotal } from './unit-words.ts';
import { findHeaderOverHeading, nextHeader, partBlocks } from './blocks.ts';
import { lineOf, periodOf } from '../model/cells.ts';
import { withUnits } from './units.ts';
import { flatPaths, partSubBlocks } from './sub-blocks.ts';
import { columnsOf, datedBy, remarkOpenPeriods } from './columns.ts';
import { namesOf, topLines } from './header.ts';
import { cut, findTables } from './tables.ts';
import { createTally, type Tally } from '../model/tally.ts';
import { turned } from './turned-sheet.ts';
import {
  type Cell,
  type Choice,
  type Column,
  type NumberedRow,
  type Sheet,
  SpreadsheetFault,
  type Table,
} from '../model/types.ts';

/** Limit of the service for columns of a table. */
const maxColumns = 10_000;
const maxTitleCharacters = 400;
const maxNotes = 20;

/**
 * Finds the table in a sheet: its header, the roles of its columns, its rows without titles and footnotes. If there are
 * several tables, returns the chosen one or the first.
 * @throws {SpreadsheetFault} if there is none
 */
export function understand(whole: Sheet, choice: Choice = {}): Table {
  if (whole.fault !== undefined) throw whole.fault;
  const sheet = choice.withoutHidden === true ? withoutHidden(whole) : whole;
  const tables = findTables(sheet);
  const area = tables[choice.table ?? 0] ?? tables[0];
  const part = area === undefined ? sheet : cut(sheet, area);
  const upright = choice.header === undefined ? turned(part) : undefined;
  const table = understandUpright(upright ?? part, choice);
  const tally = createTally();
  if (tables.length > 1)
    tally.add('severalTables', { count: tables.length, text: area?.label ?? '', row: (area?.top ?? 0) + 1 });
  if (upright !== undefined) tally.add('turned', { count: table.rows.length });
  remarkSheet(whole, choice, tally);
  return {
    ...table,
    tables,
    hasHidden: whole.hidden !== undefined,
    remarks: [...tally.remarks(), ...table.remarks],
  };
}

type Understood = Omit<Table, 'tables' | 'hasHidden'>;

function understandUpright(sheet: Sheet, choice: Choice): Understood {
  const tally = createTally();
  const lines = topLines(sheet);
  const headerRows = choice.header ?? findHeaderOverHeading(lines);
  const start = headerRows.first + headerRows.count;
  const width = sheet.rows
    .slice(headerRows.first)
    .reduce((widest, { length }) => Math.max(widest, length), 0);
  const header = namesOf(lines, headerRows, width);
  const rows = bodyRows(sheet, start, header);
  if (width === 0 || rows.length === 0) throw missingTable(sheet);
  if (headerRows.count === 0) tally.add('noHeader');
  const { names, empty } = flatPaths(header, rows, tally);
  const used = usedColumns(names, rows).filter((column) => !empty.has(column));
  if (used.length > maxColumns) throw new SpreadsheetFault('tooManyCells', sheet.name);
  const title = titleOf(lines.slice(0, headerRows.first).map(({ cells }) => cells));
  const guessed = columnsOf({ used, names, rows }, choice, tally);
  const dated = datedBy(guessed, title, sheet.name, tally);
  const end = nextHeader(rows, dated);
  const parted = partRows(
    rows.filter(({ number }) => number < end),
    dated,
  );
  const { kept, headings, blocks } = partParts(parted, dated, tally);
  if (kept.length === 0) throw missingTable(sheet);
  const below = [...parted.below, ...rows.filter(({ number }) => number >= end)];
  const notes = below.slice(0, maxNotes).map((row) => textOf(row.cells));
  const around = [...lines.slice(0, headerRows.first).map((line) => textOf(line.cells)), ...notes];
  const read = readRows(kept, dated, { tally, notes: around });
  const cells = withGroupsFilled(dated, read.cells, kept, tally);
  const measured = withUnits(dated, {
    above: lines.slice(0, headerRows.first).map((line) => line.cells),
    rows: kept,
    tally,
  });
  const { columns, table } =
    blocks === undefined ? withRegions(measured, cells, kept, headings) : withBlocks(measured, cells, blocks);
  if (!hasValues(columns, table)) throw missingTable(sheet);
  remarkTotals(columns, table, kept, tally);
  remarkOpenPeriods(columns, tally);
  for (const { number, cells: left } of [...headings, ...below])
    tally.add('rowsLeftOut', { row: number, text: textOf(left) });
  if (sheet.formulasWithoutValue > 0)
    tally.add('formulasWithoutValue', { count: sheet.formulasWithoutValue });
  if (!columns.some(({ role }) => role === 'code' || role === 'name')) tally.add('noKey');
  const isLongTable = isLong(columns, table);
  if (!isLongTable) remarkRepeated(columns, table, kept, tally);
  return {
    title,
    headerRows,
    columns,
    rows: table,
    cellRemarks: read.remarks,
    rowNumbers: kept.map(({ number }) => number),
    notes,
    isLong: isLongTable,
    remarks: tally.remarks(),
  };
}

/** Splits rows into tables below each other, and into the parts of the rows of places; `blocks` names both. */
function partParts(
  parted: Pick<ReturnType<typeof partRows>, 'kept' | 'headings'>,
  columns: readonly Column[],
  tally: Tally,
): ReturnType<typeof partBlocks> {
  const parts = partSubBlocks(parted, columns, tally);
  if (parts === undefined) return partBlocks(parted, columns);
  const isPlace = (index: number): boolean => parts.paths[index] === '';
  const places = parts.kept.filter((_, index) => isPlace(index));
  const { kept, headings, blocks = [] } = partBlocks({ kept: places, headings: parts.headings }, columns);
  const blockOf = new Map(kept.map((row, index) => [row, blocks[index] ?? '']));
  let block = '';
  return {
    kept: parts.kept,
    headings,
    blocks: parts.kept.map((row, index) => {
      if (isPlace(index)) block = blockOf.get(row) ?? '';
      return [block, parts.paths[index] ?? ''].filter((text) => text !== '').join(' / ');
    }),
  };
}

/** The indices of columns that have a name or a cell. */
function usedColumns(names: readonly string[], rows: readonly NumberedRow[]): readonly number[] {
  const isFilled = names.map((name) => name !== '');
  for (const { cells } of rows)
    for (const [column, cell] of cells.entries()) if (cell !== null) isFilled[column] = true;
  return [...isFilled.keys()].filter((column) => isFilled[column]);
}

/** A heading above parts of the total in the row before it; it names no region. */
const ofWhich = /^(?:в том числе|из них|оның ішінде|соның ішінде|including|of which)[\s:.,]*$/iu;

/** Converts headings that name a region to a column, if the table has no such column. */
function withRegions(
  columns: readonly Column[],
  rows: (readonly Cell[])[],
  kept: readonly NumberedRow[],
  headings: readonly NumberedRow[],
): { readonly columns: readonly Column[]; readonly table: readonly (readonly Cell[])[] } {
  const named = headings.filter(({ cells }) => !ofWhich.test(textOf(cells)));
  const isNeeded = named.length > 0 && !columns.some(({ role }) => role === 'code' || role === 'region');
  if (!isNeeded) return { columns, table: rows };
  let next = 0;
  let region: Cell = null;
  const table = rows.map((cells, index) => {
    for (; (named[next]?.number ?? Infinity) < (kept[index]?.number ?? 0); next += 1)
      region = lineOf(named[next]?.cells.find((cell) => cell !== null));
    return [...cells, region];
  });
  const isCyrillic = named.some(({ cells }) => /[а-я]/i.test(textOf(cells)));
  return { columns: [...columns, { name: isCyrillic ? 'Область' : 'Region', role: 'region' }], table };
}

/** Returns true if columns of values have any value; an empty form has none. */
function hasValues(columns: readonly Column[], rows: readonly (readonly Cell[])[]): boolean {
  const values = columns.flatMap(({ role }, index) => (role === 'value' ? [index] : []));
  return values.length === 0 || rows.some((row) => values.some((index) => (row[index] ?? null) !== null));
}

/** Converts the headings of tables below each other to a column of indicators. */
function withBlocks(columns: readonly Column[], rows: (readonly Cell[])[], blocks: readonly string[]) {
  const taken = new Set(columns.map(({ name }) => name));
  const areTimes = blocks.every((block) => block === '' || periodOf(block)?.note === '');
  const wanted = areTimes ? 'Период' : 'Показатель';
  const [free = ''] = [wanted, `${wanted} (2)`].filter((name) => !taken.has(name));
  const indicator: Column = { name: free, role: areTimes ? 'period' : 'indicator' };
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
  const [name, region] = ['name', 'region'].map((wanted) => columns.findIndex(({ role }) => role === wanted));
  for (const [index, row] of rows.entries()) {
    const number = kept[index]?.number ?? 0;
    const cell = row[name ?? -1] ?? row[region ?? -1] ?? null;
    if (isTotal(cell)) tally.add('totalsKept', { row: number, text: lineOf(cell) });
  }
}

/**
 * Repeats a value that is written once for a group of rows: a region for its districts, and in a long table a place for
 * its times, or a time for its places.
 */
function withGroupsFilled(
  columns: readonly Column[],
  rows: (readonly Cell[])[],
  kept: readonly NumberedRow[],
  tally: Tally,
): (readonly Cell[])[] {
  const isParted = columns.some(({ role }) => role === 'period' || role === 'indicator');
  const name = columns.findIndex(({ role }) => role === 'name');
  const groups = columns.flatMap(({ role }, index) => {
    const isKey = role === 'code' || role === 'name' || role === 'period' || role === 'indicator';
    return (role === 'region' && name !== -1) || (isParted && isKey) ? [index] : [];
  });
  const last = new Map<number, Cell>();
  return rows.map((row, at) => {
    const filled = [...row];
    const isSum = name !== -1 && isTotal(row[name]);
    for (const index of groups) {
      const { role, name: column } = columns[index] ?? { role: 'note', name: '' };
      const [own, above] = [row[index] ?? null, last.get(index) ?? null];
      if (own !== null) last.set(index, own);
      const isNameless = role === 'region' && (row[name] ?? null) === null;
      if (own !== null || above === null || isSum || isNameless) continue;
      filled[index] = above;
      tally.add('groupsFilled', { row: kept[at]?.number ?? 0, column, text: lineOf(above) });
    }
    return filled;
  });
}

/** Adds a remark if a place has several rows, since a map shows only one of them. */
function remarkRepeated(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  kept: readonly NumberedRow[],
  tally: Tally,
): void {
  if (!columns.some(({ role }) => role === 'code' || role === 'name')) return;
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const key = keyOf(columns, row);
    if (key.trim() !== '' && seen.has(key))
      tally.add('placesTwice', { row: kept[index]?.number ?? 0, text: key.replaceAll('\t', ' ').trim() });
    seen.add(key);
  }
}

/** The reason why a sheet has no table, as far as it can be found. */
function missingTable({ name, formulasWithoutValue, textNotes }: Sheet): SpreadsheetFault {
  if (formulasWithoutValue > 0) return new SpreadsheetFault('formulasOnly', name);
  return new SpreadsheetFault(textNotes?.longRows === undefined ? 'noTable' : 'unquotedCommas', name);
}

/** A column whose name is only a word for time. */
const onlyTime = /^(?:отч[её]тный )?(?:год|жыл|year|период|кезең|period|дата|date|күн|күні|жылы|годы)$/iu;

/** Returns true for a long table, in which a place occurs once for each time or indicator, also if all rows are of one time. */
function isLong(columns: readonly Column[], rows: readonly (readonly Cell[])[]): boolean {
  const period = columns.findIndex(({ role }) => role === 'period');
  const isParted = period !== -1 || columns.some(({ role }) => role === 'indicator');
  if (!isParted || !columns.some(({ role }) => role === 'value')) return false;
  if (columns.some(({ role, name }) => role === 'period' && onlyTime.test(name.trim()))) return true;
  const keys = new Set(rows.map((row) => keyOf(columns, row)));
  return keys.size < rows.length || (period !== -1 && new Set(rows.map((row) => row[period])).size === 1);
}

/** The key of the place of a row: its code, or its names. */
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

/** Returns the sheet without hidden rows and columns; the other cells keep their positions. */
function withoutHidden(sheet: Sheet): Sheet {
  const { hidden } = sheet;
  if (hidden === undefined) return sheet;
  const rows = sheet.rows.map((row, at) =>
    hidden.rows.has(at) ? [] : row.map((cell, column) => (hidden.columns.has(column) ? null : cell)),
  );
  return { ...sheet, rows };
}

/** Adds remarks on the changes to a sheet before its table was looked for. */
function remarkSheet(sheet: Sheet, { withoutHidden: isLeftOut = false }: Choice, tally: Tally): void {
  const { hidden, divided, textNotes: notes } = sheet;
  if (hidden !== undefined) {
    const [first] = [...hidden.rows].toSorted((a, b) => a - b);
    tally.add(isLeftOut ? 'hiddenLeftOut' : 'hiddenKept', {
      count: hidden.rows.size,
      ...(first === undefined ? {} : { row: first + 1 }),
      text: String(hidden.columns.size),
    });
  }
  if (divided !== undefined) tally.add('valuesDivided', divided);
  if (notes?.charset !== undefined) tally.add('charsetGuessed', { text: notes.charset });
  if (notes?.lostBytes !== undefined) tally.add('bytesLost', { count: notes.lostBytes });
  if (notes?.joinedRows !== undefined) tally.add('commasJoined', { count: notes.joinedRows });
  if (notes?.longRows !== undefined) tally.add('rowsLonger', notes.longRows);
}
