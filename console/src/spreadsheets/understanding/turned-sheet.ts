import type { Cell, Merge, Sheet } from '../model/types.ts';
import { isRegionCode, isUnitName } from './unit-words.ts';

const rowsExamined = 60;
const columnsExamined = 400;
/** Minimum number of units from left to right that make a header of units, as opposed to a header with one similar word. */
const fewestUnits = 3;
/** Larger sheets are not transposed: they would have more columns than a table may have. */
const mostRows = 5000;

/**
 * Transposes a sheet whose units are in columns, so that they are in rows; undefined for other sheets. Content above
 * the table stays there. Merged cells are transposed as well.
 */
export function turned(sheet: Sheet): Sheet | undefined {
  const header = sheet.rows.slice(0, rowsExamined).findIndex(isAcross);
  if (header === -1 || sheet.rows.length > mostRows) return undefined;
  const labels = sheet.rows.slice(header + 1).map((row) => row[0] ?? null);
  if (labels.filter((label) => isUnitName(label) || isRegionCode(label)).length * 3 >= labels.length)
    return undefined;
  let top = header;
  // There may be years above the units.
  while (top > 0 && new Set(sheet.rows[top - 1]?.filter((cell) => cell !== null)).size > 1) top -= 1;
  const bottom = sheet.rows.findLastIndex((row) => row.filter((cell) => cell !== null).length > 1);
  const block = sheet.rows.slice(top, bottom + 1);
  const width = block.reduce((widest, { length }) => Math.max(widest, length), 0);
  const rows = Array.from({ length: width }, (_, column) => block.map((row) => row[column] ?? null));
  const merges = sheet.merges.flatMap((merge) =>
    merge.top >= top && merge.bottom <= bottom ? [turn(merge, top)] : [],
  );
  return { ...sheet, rows: [...sheet.rows.slice(0, top), ...rows], merges };
}

/** Returns true if a row has units from left to right. */
export function isAcross(row: readonly Cell[]): boolean {
  const texts = row.slice(0, columnsExamined).filter((cell) => cell !== null);
  const units = texts.slice(1).filter(isUnitName).length + (isUnitName(row[0]) ? 1 : 0);
  if (units >= fewestUnits && units * 5 >= texts.length * 3) return true;
  // Codes of regions and districts, each once, beside an empty cell or a heading.
  const codes = texts.slice(isRegionCode(texts[0]) ? 0 : 1);
  return codes.length >= fewestUnits && codes.every(isRegionCode) && new Set(codes).size === codes.length;
}

/** The position of a merged cell after the table that begins in row `top` is transposed about its first cell. */
function turn({ top, left, bottom, right }: Merge, first: number): Merge {
  return { top: first + left, left: top - first, bottom: first + right, right: bottom - first };
}
