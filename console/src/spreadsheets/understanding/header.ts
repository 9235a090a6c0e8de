import { readPeriod } from '../../../../common/table/periods/read.ts';
import { beginsWithUnit } from '../../../../common/table/periods/contexts.ts';
import { isBounded, kindOf, lineOf, periodOf } from '../model/cells.ts';
import type { Cell, HeaderRows, Merge, Period, Sheet } from '../model/types.ts';
import { headerPaths } from './sub-blocks.ts';
import { isPlaceHeading, isUnitName } from './unit-words.ts';

/** Limits of the first row of the header, and of its number of lines. */
const rowsExamined = 200;
const maxLines = 6;
const maxBlanks = 2;
const maxHeadings = 4;
/** Wider sheets exist; these columns suffice to find their header. */
const columnsExamined = 2000;

export interface Line {
  /** Cells; a merged cell is repeated in each of its cells. */
  readonly cells: readonly Cell[];
  /** Cells of the sheet that are not empty. */
  readonly count: number;
  readonly isMerged: boolean;
}

/** The rows at the top of a sheet; a merged cell is repeated in each of its cells. */
export function topLines(sheet: Sheet, rows = rowsExamined): readonly Line[] {
  const lines = sheet.rows.slice(0, rows).map((row) => ({
    cells: row.slice(0, columnsExamined),
    count: row.reduce<number>((sum, cell) => sum + (cell === null ? 0 : 1), 0),
    isMerged: false,
  }));
  for (const merge of sheet.merges) fillMerge(merge, lines);
  return lines;
}

function fillMerge({ top, left, bottom, right }: Merge, lines: { cells: Cell[]; isMerged: boolean }[]): void {
  const value = lines[top]?.cells[left] ?? null;
  if (value === null) return;
  for (let row = top; row <= Math.min(bottom, lines.length - 1); row += 1) {
    const line = lines[row];
    if (line === undefined) return;
    line.isMerged = true;
    while (line.cells.length < left) line.cells.push(null);
    for (let column = left; column <= Math.min(right, columnsExamined - 1); column += 1)
      line.cells[column] = value;
  }
}

/** Finds the header: the rows of names above the first row of values. */
export function findHeader(lines: readonly Line[]): HeaderRows {
  const filled = lines.map(({ cells }) => cells.filter((cell) => cell !== null).length);
  const bodies = [...lines.keys()].filter(
    (row) =>
      isBody(lines[row]?.cells ?? []) || isTextBody(lines[row]?.cells ?? [], lines[row - 1]?.cells ?? []),
  );
  const widths = bodies.map((row) => filled[row] ?? 0).toSorted((a, b) => a - b);
  const usual = widths[Math.floor(widths.length / 2)] ?? 0;
  const found = bodies.find((row) => (filled[row] ?? 0) * 2 >= usual);
  const body = found ?? lines.length;
  // Some sheets have an empty row below the header.
  let bottom = body;
  while (bottom > 0 && body - bottom < maxBlanks && filled[bottom - 1] === 0) bottom -= 1;
  let first = firstLine(lines, filled, bottom);
  for (let row = bottom - 1; first === bottom && row > 0 && bottom - row < maxHeadings; row -= 1) {
    // The first row below the header may be a heading: the name of a region alone.
    const above = firstLine(lines, filled, row);
    if (above < row) [first, bottom] = [above, row];
  }
  if (first === bottom) [first, bottom] = [body, body];
  else if (bottom + maxBlanks >= body && filled.slice(bottom, body).every((count) => count === 0))
    bottom = body;
  if (found === undefined) {
    first = Math.max(
      0,
      filled.findIndex((count) => count > 1),
    );
    return { first, count: (filled[first] ?? 0) > 0 ? Math.min(1, lines.length) : 0 };
  }
  const end = endOfPeriods(lines, first, bottom);
  return { first: Math.max(first, end - maxLines), count: Math.min(end - first, maxLines) };
}

/** The first line of the header that ends above `bottom`. */
function firstLine(lines: readonly Line[], filled: readonly number[], bottom: number): number {
  let first = bottom;
  while (first > 0 && isHeaderLine(lines, filled, first - 1, bottom)) first -= 1;
  return first;
}

/** Returns true for a row of values: with a code, or with a number beside a text. */
export function isBody(cells: readonly Cell[]): boolean {
  const kinds = cells.map(kindOf);
  if (kinds.includes('code')) return true;
  const numbers = kinds.filter((kind) => kind === 'number' || kind === 'missing' || kind === 'error').length;
  return numbers > 0 && kinds.includes('text') && !isNumbering(cells);
}

/**
 * Returns true for a row of a unit whose values are texts: bounds (`менее 5`), or words below a header that is complete
 * without them. Without a number it resembles another line of the header.
 */
function isTextBody(cells: readonly Cell[], above: readonly Cell[]): boolean {
  const key = cells.findIndex((cell) => cell !== null);
  if (!isUnitName(cells[key])) return false;
  // A place is below the heading of the column of places.
  if (isPlaceHeading(above[key])) return true;
  const others = cells.flatMap((cell, column) => (column > key && cell !== null ? [{ cell, column }] : []));
  if (others.length === 0 || others.some(({ cell }) => kindOf(cell) === 'period')) return false;
  if (others.every(({ cell }) => isBounded(cell))) return true;
  return others.every(({ cell, column }) => kindOf(above[column] ?? null) === 'period' && !isUnitName(cell));
}

/** Returns true for a row that numbers the columns: `А | 1 | 2 | 3`. */
export function isNumbering(cells: readonly Cell[]): boolean {
  const begin = lineOf(cells.find((cell) => cell !== null));
  if (begin.length > 3) return false;
  const texts = cells.map((cell) => lineOf(cell).replace(/^\((\d+)\)$/, '$1')).filter((text) => text !== '');
  const numbers = texts.filter((text) => /^\d{1,3}$/.test(text)).map(Number);
  if (numbers.length < 2 || texts.length - numbers.length > 2) return false;
  if (texts.some((text) => !/^(?:\d{1,3}|[A-ZА-ЯҒӘ])$/iu.test(text))) return false;
  return numbers.every((number, index) => number === (numbers[0] ?? 0) + index) && (numbers[0] ?? 0) <= 3;
}

/** Returns true if a row above the header found so far belongs to it, unlike a title or a note on units. */
function isHeaderLine(
  lines: readonly Line[],
  filled: readonly number[],
  row: number,
  bottom: number,
): boolean {
  const line = lines[row];
  const below = lines[row + 1];
  const count = filled[row] ?? 0;
  if (line === undefined || below === undefined || count === 0) return false;
  if (isNumbering(line.cells)) return true;
  const distinct = new Set(line.cells.filter((cell) => cell !== null)).size;
  const firstColumn = line.cells.findIndex((cell) => cell !== null);
  if (distinct === 1) {
    // A heading of a group is above columns; a title begins at the first column of the table, and a note on units is above a single column.
    const isPeriod = periodOf(line.cells[firstColumn] ?? null)?.note === '';
    // Above the only column of values, a time is alone in its row.
    const isOnly =
      below.cells.filter((cell) => cell !== null).length === firstColumn + 1 - emptyBefore(below);
    return firstColumn > 0 && (count > 1 || (isPeriod && (row + 1 < bottom || isOnly)));
  }
  if (line.isMerged || row + 1 >= bottom) return true;
  const beside = lineOf(line.cells[firstColumn]) !== '' && lineOf(below.cells[firstColumn]) !== '';
  return !(beside && count * 2 < (filled[row + 1] ?? 0));
}

function emptyBefore({ cells }: Line): number {
  return Math.max(
    0,
    cells.findIndex((cell) => cell !== null),
  );
}

/** The row at which the header ends if all values look like years: no column has two years in its header. */
function endOfPeriods(lines: readonly Line[], first: number, body: number): number {
  const seen = new Set<number>();
  for (let row = first; row < body; row += 1) {
    const line = lines[row];
    const periods = [...(line?.cells.entries() ?? [])].filter(([, cell]) => /^\d{4}$/.test(lineOf(cell)));
    const isRepeated = periods.some(
      ([column, cell]) => seen.has(column) && lineOf(cell) !== lineOf(lines[row - 1]?.cells[column]),
    );
    if (isRepeated) return row;
    for (const [column] of periods) seen.add(column);
  }
  return body;
}

/** Joins the lines of a header into a name for each column. */
export function namesOf(
  lines: readonly Line[],
  { first, count }: HeaderRows,
  columns: number,
): readonly string[] {
  const all = lines.slice(first, first + count);
  const named = all.filter(({ cells }) => !isNumbering(cells));
  const header = named.length > 0 ? named : all;
  const filled = headerPaths(
    header.map((line, index) => (index + 1 < header.length ? groupsOf(line, header[index + 1]) : line.cells)),
  );
  return Array.from({ length: columns }, (_, column) => {
    const parts = filled.map((cells) => lineOf(cells[column])).filter((part) => part !== '');
    // The words of a path that ends here have nothing behind them.
    return nameOf(parts.filter((part, index) => part !== parts[index - 1])).replaceAll(/ \/(?=,|$)/g, '');
  });
}

/**
 * Joins the lines of one column. A comma separates lines that would otherwise be read as one phrase: `2023` above
 * `тонн`, or `в сопоставимых ценах` above `2023`.
 */
function nameOf(parts: readonly string[]): string {
  const name = parts.join(' ');
  if (parts.length < 2) return name;
  const own = parts.map((part) => readPeriod(part)).filter((read) => read !== undefined);
  const [only, other] = own;
  if (only === undefined || other !== undefined) return name;
  const isAmount = parts.some(
    (part, at) => at > 0 && /^\d{4}$/.test(parts[at - 1] ?? '') && beginsWithUnit.test(part),
  );
  if (readPeriod(name) !== undefined && !isAmount) return name;
  const parted = parts.join(', ');
  const read = readPeriod(parted);
  return read !== undefined && isWithin(read, only) ? parted : name;
}

function isWithin(one: Period, other: Period): boolean {
  const last = ({ start_date: start, end_date: end }: Period) => end ?? start;
  return one.start_date >= other.start_date && last(one) <= last(other);
}

/** Extends the name of a group to the columns without one, if merged cells do not give its extent. */
function groupsOf({ cells, isMerged }: Line, below: Line | undefined): readonly Cell[] {
  if (isMerged || below === undefined) return cells;
  const filled = [...cells];
  for (let column = 1; column < below.cells.length; column += 1) {
    const isGroup = (below.cells[column - 1] ?? null) !== null && (below.cells[column] ?? null) !== null;
    if ((filled[column] ?? null) === null && isGroup) filled[column] = filled[column - 1] ?? null;
  }
  return filled;
}
