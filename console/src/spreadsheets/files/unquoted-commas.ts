import { lineOf } from '../model/cells.ts';
import type { Cell, TextNotes } from '../model/types.ts';

const whole = /^[+\-\u2212]?\d{1,3}(?:[ \u00a0]\d{3})*$|^[+\-\u2212]?\d+$/;
const fraction = /^\d+%?$/;
const rowsExamined = 200;

/**
 * Repairs unquoted decimal commas in a text whose delimiter is the comma: `Абай,1,5,2,5` below `Регион,2022,2023`.
 * Cells are joined if each row has one extra cell for each column of numbers, and the numbers are pairs of digits. In
 * other rows that are longer than the header, the numbers are left out and the rows are counted.
 */
export function joinCommas(rows: readonly (readonly Cell[])[]): {
  readonly rows: readonly (readonly Cell[])[];
  readonly notes: TextNotes;
} {
  const header = headerOf(rows);
  const width = rows[header]?.length ?? 0;
  const below = rows.slice(header + 1);
  const first = below.findIndex(({ length }) => length > width);
  if (header === -1 || first === -1) return { rows, notes: {} };
  const columns = pairedColumns(below, width);
  if (columns === undefined) {
    const count = below.filter(({ length }) => length > width).length;
    const safe = rows.map((row, at) =>
      at > header && isShifted(row, width) ? row.slice(0, textsOf(row)) : row,
    );
    return { rows: safe, notes: { longRows: { count, row: header + first + 2 } } };
  }
  const joined = below.map((row) => (row.length > width ? joinedRow(row, columns) : row));
  const joinedRows = below.filter(({ length }) => length > width).length;
  return { rows: [...rows.slice(0, header + 1), ...joined], notes: { joinedRows } };
}

/** The first row of texts alone with at least as many cells as any row above it. */
function headerOf(rows: readonly (readonly Cell[])[]): number {
  return rows.slice(0, rowsExamined).findIndex((row) => {
    const texts = row.filter((cell) => cell !== null);
    const isYear = (cell: Cell) => /^(?:19|20)\d\d$/.test(lineOf(cell));
    return texts.length > 1 && texts.every((cell) => Number.isNaN(Number(cell)) || isYear(cell));
  });
}

/** The number of columns before those of numbers, if every row is either as wide as the header or has all its numbers in pairs. */
function pairedColumns(rows: readonly (readonly Cell[])[], width: number): number | undefined {
  const long = rows.filter(({ length }) => length > width);
  const surplus = new Set(long.map(({ length }) => length - width));
  const [values, other] = surplus;
  if (values === undefined || other !== undefined || values >= width) return undefined;
  const texts = width - values;
  const isPaired = long.every((row) => {
    const numbers = row.slice(texts);
    return (
      row.slice(0, texts).every((cell) => !whole.test(lineOf(cell)) || lineOf(cell).length === 9) &&
      numbers.every((cell, at) => (at % 2 === 0 ? whole : fraction).test(lineOf(cell)))
    );
  });
  // If only some rows have pairs, the positions of the commas are ambiguous.
  const filled = rows.filter(({ length }) => length > 1);
  return isPaired && long.length === filled.length ? texts : undefined;
}

/** Returns true if there are numbers after the last column: the cells before them may be in the wrong columns. */
function isShifted(row: readonly Cell[], width: number): boolean {
  return row.slice(width).some((cell) => whole.test(lineOf(cell)));
}

function textsOf(row: readonly Cell[]): number {
  const first = row.findIndex((cell) => whole.test(lineOf(cell)) && lineOf(cell).length !== 9);
  return first === -1 ? row.length : first;
}

function joinedRow(row: readonly Cell[], texts: number): readonly Cell[] {
  const numbers = row.slice(texts);
  const pairs = numbers.flatMap((cell, at) =>
    at % 2 === 0 ? [`${lineOf(cell)},${lineOf(numbers[at + 1])}`] : [],
  );
  return [...row.slice(0, texts), ...pairs];
}
