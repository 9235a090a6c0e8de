import { speaksOfTime } from '../../../../common/table/periods/read.ts';
import { findHeaderOverHeading } from './blocks.ts';
import { isHeaderAgain } from './body.ts';
import { kindOf, letterOf, lineOf } from '../model/cells.ts';
import { isBody, isNumbering, namesOf, topLines } from './header.ts';
import { isAcross, turned } from './turned-sheet.ts';
import type { Cell, Sheet, TableArea } from '../model/types.ts';
import { isPlaceHeading, isUnitName } from './unit-words.ts';

/** Limit of rows between a header and the first row of its table. */
const rowsToBody = 4;
const mostTables = 50;
const rowsExamined = 500;
/** Minimum number of rows of a table before another header is looked for. */
const fewestRows = 2;
/** Number of first cells of a column that may contain its header. */
const headingsExamined = 8;
/** Largest share of a column that the header of a table with few rows takes. */
const headerShare = 0.4;
/** Minimum overlap of the columns of places in two tables side by side. */
const commonShare = 0.5;

/** Finds the tables of a sheet, below and beside each other. A single table covers the whole sheet. */
export function findTables(sheet: Sheet): readonly TableArea[] {
  return tablesBelow(sheet)
    .flatMap((area) => tablesBeside(sheet, area))
    .slice(0, mostTables)
    .map((area, _, all) => ({ ...area, label: labelOf(cut(sheet, area), area, all.length) }));
}

type Area = Omit<TableArea, 'label'>;

/** Returns the sheet without the cells outside an area; the other cells keep their positions. */
export function cut(sheet: Sheet, { top, left, bottom, right }: Area): Sheet {
  const isAll = top === 0 && left === 0 && bottom >= sheet.rows.length - 1 && right === Infinity;
  if (isAll) return sheet;
  const rows = sheet.rows
    .slice(0, bottom + 1)
    .map((row, at) =>
      at < top ? [] : row.slice(0, right + 1).map((cell, column) => (column < left ? null : cell)),
    );
  const merges = sheet.merges.flatMap((merge) => {
    const isInside = merge.top >= top && merge.bottom <= bottom && merge.left <= right && merge.right >= left;
    if (!isInside) return [];
    const value = sheet.rows[merge.top]?.[merge.left] ?? null;
    const inside = { ...merge, left: Math.max(left, merge.left), right: Math.min(right, merge.right) };
    // A title over several tables belongs to each.
    const row = rows[merge.top];
    if (row !== undefined && merge.left < left && value !== null) {
      while (row.length <= left) row.push(null);
      row[left] = value;
    }
    return [inside];
  });
  return { ...sheet, rows, merges };
}

/** Tables below each other: rows at which another header begins. */
function tablesBelow(sheet: Sheet): readonly Area[] {
  const starts = [0];
  let names: readonly string[] | undefined;
  let bodies = 0;
  let across: readonly Cell[] | undefined;
  for (const [row, cells] of sheet.rows.entries()) {
    if (cells.length === 0) continue;
    if (bodies >= fewestRows) names ??= headerOf(sheet, starts.at(-1) ?? 0, row);
    if (names !== undefined && isOtherHeader(cells, names, across) && hasBodyBelow(sheet, row)) {
      starts.push(beginOf(sheet, row));
      [names, bodies, across] = [undefined, 0, undefined];
      if (starts.length > mostTables) break;
    }
    if (across === undefined && row < rowsExamined && isAcross(cells)) across = cells;
    if (bodies < fewestRows && isBody(cells)) bodies += 1;
  }
  return starts.map((top, at) => ({
    top,
    left: 0,
    bottom: (starts[at + 1] ?? sheet.rows.length) - 1,
    right: Infinity,
  }));
}

/** The names of the table that begins at `top` and has its first rows above `bottom`. */
function headerOf(sheet: Sheet, top: number, bottom: number): readonly string[] {
  const lines = topLines(cut(sheet, { top, left: 0, bottom: bottom - 1, right: Infinity }), bottom);
  const width = lines.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  return namesOf(lines, findHeaderOverHeading(lines), width);
}

/** Returns true for a header that differs from that of the table above. */
function isOtherHeader(
  cells: readonly Cell[],
  names: readonly string[],
  across: readonly Cell[] | undefined,
): boolean {
  // Most rows return here, and this check runs for every row.
  if (cells.some((cell) => cell !== null && !['text', 'period'].includes(kindOf(cell)))) return false;
  const filled = cells.flatMap((cell, column) => (cell === null ? [] : [{ cell, column }]));
  if (filled.length < 2 || isNumbering(cells) || isHeaderAgain(cells, names)) return false;
  if (across !== undefined && isAcross(cells))
    return cells.some((cell, at) => lineOf(cell) !== lineOf(across[at]));
  const [first, ...others] = filled;
  if (first === undefined) return false;
  const isNamed = (names[first.column] ?? '') !== '' && lineOf(first.cell) === names[first.column];
  const areOther = others.some(({ cell, column }) => lineOf(cell) !== names[column]);
  if (isNamed || isPlaceHeading(first.cell)) return areOther;
  // Years alone, with an empty cell above the names.
  const isBelowNames = filled.every(({ cell, column }) => isTime(cell) && column > 0);
  return isBelowNames && filled.some(({ cell, column }) => !(names[column] ?? '').includes(lineOf(cell)));
}

function isTime(cell: Cell): boolean {
  return kindOf(cell) === 'period' || speaksOfTime(lineOf(cell));
}

function hasBodyBelow({ rows }: Sheet, row: number): boolean {
  return rows.slice(row + 1, row + 1 + rowsToBody).some(isBody);
}

/** The first row of a table, including its titles and the empty rows above its header. */
function beginOf({ rows }: Sheet, header: number): number {
  let top = header;
  while (top > 0) {
    const above = rows[top - 1] ?? [];
    if (isBody(above) || new Set(above.filter((cell) => cell !== null)).size > 1) break;
    top -= 1;
  }
  return top;
}

/** Tables beside each other: columns of places behind columns of values, which have values behind them again. */
function tablesBeside(sheet: Sheet, area: Area): readonly Area[] {
  const part = cut(sheet, area);
  if (turned(part) !== undefined) return [area];
  // The headers of two tables may differ in height: columns are judged by most of their cells.
  const rows = part.rows.slice(area.top, area.top + rowsExamined);
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 0);
  const columns = Array.from({ length: width }, (_, column) => columnOf(column, rows));
  const keys = columns.filter(({ isOfPlaces }) => isOfPlaces);
  const [first] = keys;
  if (first === undefined) return [area];
  const starts = [area.left];
  for (const key of keys.slice(1)) {
    const before = columns.slice(starts.at(-1) ?? 0, key.column);
    const hasValues = before.some(({ isOfValues, column }) => isOfValues && column > first.column - 1);
    const leads = columns.slice(key.column).some(({ isOfValues }) => isOfValues);
    const hasDistinctColours = before.some(({ isEmpty, column }) => isEmpty && column > first.column);
    const isAlike =
      keys.some(({ headings, column }) => column < key.column && !headings.isDisjointFrom(key.headings)) ||
      common(first.texts, key.texts) >= commonShare ||
      (hasDistinctColours && [...key.headings].some(isPlaceHeading));
    if (hasValues && leads && isAlike) starts.push(beginOfCopy(columns, first.column, key.column));
  }
  return starts.map((left, at) => ({ ...area, left, right: (starts[at + 1] ?? Infinity) - 1 }));
}

interface Facts {
  readonly column: number;
  /** The first texts of the column, which include its name. */
  readonly headings: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly isOfPlaces: boolean;
  readonly isOfValues: boolean;
  readonly isEmpty: boolean;
}

function columnOf(column: number, rows: readonly (readonly Cell[])[]): Facts {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
  const heads = cells.slice(0, headingsExamined).filter((cell) => kindOf(cell) === 'text');
  const kinds = cells.slice(Math.floor(cells.length * headerShare)).map(kindOf);
  const isMostly = (...wanted: readonly string[]) =>
    kinds.filter((kind) => wanted.includes(kind)).length * 2 > kinds.length;
  return {
    column,
    headings: new Set(heads.map(lineOf).filter((text) => !isUnitName(text))),
    texts: new Set(cells.map(lineOf)),
    isOfPlaces: isMostly('text', 'code'),
    isOfValues: isMostly('number', 'period', 'missing'),
    isEmpty: cells.length === 0,
  };
}

/** The share of the smaller set that is also in the other. */
function common(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((text) => other.has(text)).length;
  return both / Math.max(1, Math.min(one.size, other.size));
}

/** Columns before the names, such as ranks, are repeated in the second table. */
function beginOfCopy(columns: readonly Facts[], firstKey: number, key: number): number {
  let begin = key;
  for (let step = 1; step <= firstKey; step += 1) {
    const [one, other] = [columns[firstKey - step], columns[key - step]];
    if (one === undefined || other === undefined || one.headings.isDisjointFrom(other.headings)) break;
    begin = key - step;
  }
  return begin;
}

/** The name of a table to show: its first text and its position. */
function labelOf({ rows }: Sheet, { top, left, right }: Area, tables: number): string {
  if (tables === 1) return '';
  const filled = rows.flatMap((row, at) => (row.some((cell) => cell !== null) ? [at] : []));
  const [first = top, last = first] = [filled[0], filled.at(-1)];
  const widest = rows.reduce((width, { length }) => Math.max(width, length), 0);
  const places = `${letterOf(left)}${first + 1}:${letterOf(Math.min(right, Math.max(left, widest - 1)))}${last + 1}`;
  const texts = rows[first]?.map(lineOf).filter((text) => text !== '') ?? [];
  return `${[...new Set(texts)].slice(0, 4).join(' | ').slice(0, 80)} (${places})`;
}
