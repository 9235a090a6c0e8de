import type { Cell, Merge, Sheet } from '../model/types.ts';
import { isRegionCode, isUnitName } from './unit-words.ts';

const rowsLookedAt = 60;
const columnsLookedAt = 400;
/** So many units from left to right are a header of units, and no header with one word that looks like a unit. */
const fewestUnits = 3;
/** Larger sheets are not turned: they would have more columns than a table may. */
const mostRows = 5000;

/**
 * Turns a sheet whose units stand from left to right, so that they stand below each other; undefined for any other one. What is
 * above the table stays above it. Merged cells are turned with it.
 */
export function turned(sheet: Sheet): Sheet | undefined {
  const header = sheet.rows.slice(0, rowsLookedAt).findIndex(isAcross);
  if (header === -1 || sheet.rows.length > mostRows) return undefined;
  const labels = sheet.rows.slice(header + 1).map((row) => row[0] ?? null);
  if (labels.filter((label) => isUnitName(label) || isRegionCode(label)).length * 3 >= labels.length)
    return undefined;
  let top = header;
  // Years may stand above the units.
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

/** Returns whether a row has units from left to right. */
export function isAcross(row: readonly Cell[]): boolean {
  const texts = row.slice(0, columnsLookedAt).filter((cell) => cell !== null);
  const units = texts.slice(1).filter(isUnitName).length + (isUnitName(row[0]) ? 1 : 0);
  if (units >= fewestUnits && units * 5 >= texts.length * 3) return true;
  // Codes of regions and districts, each once, beside an empty or a named corner.
  const codes = texts.slice(isRegionCode(texts[0]) ? 0 : 1);
  return codes.length >= fewestUnits && codes.every(isRegionCode) && new Set(codes).size === codes.length;
}

/** The place of a merged cell, when the table that begins in row `top` is turned about its first cell. */
function turn({ top, left, bottom, right }: Merge, first: number): Merge {
  return { top: first + left, left: top - first, bottom: first + right, right: bottom - first };
}
