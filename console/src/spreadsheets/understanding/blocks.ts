import { kindOf, lineOf } from '../model/cells.ts';
import { findHeader, type topLines } from './header.ts';
import type { Cell, Column, HeaderRows, NumberedRow } from '../model/types.ts';

type Lines = ReturnType<typeof topLines>;

/** Limit of lines between the header and the first row that name the first of several tables. */
const maxHeadings = 3;

/** Finds the header, also if the heading of a first table is between it and the rows: `2020 | 2021`, `Men`, rows. */
export function findHeaderOverHeading(lines: Lines): HeaderRows {
  const found = findHeader(lines);
  if (found.count > 0) return found;
  for (let row = found.first - 1; row >= Math.max(0, found.first - maxHeadings); row -= 1) {
    const cells = lines[row]?.cells ?? [];
    if (cells.filter((cell) => kindOf(cell) === 'period').length >= 2) {
      const above = findHeader([...lines.slice(0, row + 1), ...lines.slice(found.first)]);
      return above.first + above.count === row + 1 ? above : { first: row, count: 1 };
    }
    if (new Set(cells.filter((cell) => cell !== null)).size > 1) break;
  }
  return found;
}

/**
 * The row at which another table with other years begins; the rows from there on do not belong to the columns of the
 * header. Infinity if there is none.
 */
export function nextHeader(rows: readonly NumberedRow[], columns: readonly Column[]): number {
  const places = columns.flatMap(({ role, source }) =>
    role === 'code' || role === 'name' || source === undefined ? [] : [source],
  );
  const keys = columns.flatMap(({ role, source }) =>
    (role === 'code' || role === 'name') && source !== undefined ? [source] : [],
  );
  const values = columns.filter(({ role, period }) => role === 'value' && period !== undefined).length;
  if (values < 2 || keys.length === 0) return Infinity;
  for (const { cells, number } of rows) {
    if (keys.some((place) => (cells[place] ?? null) !== null)) continue;
    const filled = places.map((place) => cells[place] ?? null).filter((cell) => cell !== null);
    if (filled.length >= 2 && filled.every((cell) => kindOf(cell) === 'period')) return number;
  }
  return Infinity;
}

/** A row of a table, with its heading if it is one. */
interface BlockRow {
  readonly key: string;
  /** The text of a row that only has a heading. */
  readonly heading: string | undefined;
}

/**
 * Finds tables below each other about the same units, such as men and women. Returns the heading of the table of each
 * row, and null for a heading; undefined if the sheet has only one table.
 */
function blocksOf(rows: readonly BlockRow[]): readonly (string | null)[] | undefined {
  const seen = new Set<string>();
  let fresh = new Set<string>();
  let repeated = 0;
  const starts: number[] = [];
  let candidate = -1;
  const close = (): void => {
    const isRepeated = repeated >= 2 && repeated * 2 >= fresh.size;
    if (candidate !== -1 && isRepeated) starts.push(candidate);
    for (const key of fresh) seen.add(key);
    fresh = new Set();
    repeated = 0;
  };
  for (const [index, { key, heading }] of rows.entries()) {
    if (heading !== undefined) {
      // The first of several lines names the table; the others are units of measurement and similar notes.
      if (fresh.size === 0 && candidate !== -1 && rows[index - 1]?.heading !== undefined) continue;
      close();
      candidate = index;
    } else {
      fresh.add(key);
      if (seen.has(key)) repeated += 1;
    }
  }
  close();
  if (starts.length === 0) return undefined;
  if (rows[0]?.heading !== undefined) starts.unshift(0);
  const isStart = new Set(starts);
  let block = '';
  return rows.map(({ heading }, index) => {
    if (!isStart.has(index)) return block;
    block = heading ?? '';
    return null;
  });
}

interface Parted {
  readonly kept: readonly NumberedRow[];
  readonly headings: readonly NumberedRow[];
}

/** Splits the rows of a sheet with several tables about the same units; `blocks` has the heading of each row that is kept. */
export function partBlocks(
  { kept, headings }: Parted,
  columns: readonly Column[],
): Parted & { readonly blocks?: readonly string[] } {
  if (columns.some(({ role }) => role === 'indicator' || role === 'period')) return { kept, headings };
  const all = [...kept, ...headings].toSorted((a, b) => a.number - b.number);
  const places = columns.flatMap(({ role, source }) =>
    role === 'code' || role === 'name' || role === 'region' ? [source ?? -1] : [],
  );
  const blocks = blocksOf(
    all.map(({ cells }) => ({
      key: places.map((place) => lineOf(cells[place])).join('\t'),
      heading: headingOf(cells, columns),
    })),
  );
  if (blocks === undefined) return { kept, headings };
  const isKept = new Set(kept);
  const rows = all.flatMap((row, index) => {
    const block = blocks[index] ?? null;
    return block === null || !isKept.has(row) ? [] : [{ row, block }];
  });
  return {
    kept: rows.map(({ row }) => row),
    headings: all.filter((row, index) => blocks[index] !== null && !isKept.has(row)),
    blocks: rows.map(({ block }) => block),
  };
}

/** Returns the only text of a row without values and codes. */
function headingOf(cells: readonly Cell[], columns: readonly Column[]): string | undefined {
  const first = cells.find((cell) => cell !== null) ?? null;
  // Most rows have several texts, and this check runs for every row.
  if (cells.some((cell) => cell !== null && cell !== first)) return undefined;
  if (kindOf(first) !== 'text' && kindOf(first) !== 'period') return undefined;
  const hasDistinctColours = columns.every(
    ({ role, source }) =>
      (role !== 'value' && role !== 'code') ||
      (cells[source ?? -1] ?? null) === null ||
      isText(cells[source ?? -1]),
  );
  return hasDistinctColours ? lineOf(first) : undefined;
}

/** A merged cell has its text in each of its cells. */
function isText(cell: Cell | undefined): boolean {
  return cell !== undefined && kindOf(cell) === 'text';
}
