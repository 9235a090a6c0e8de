import { lineOf } from './cells.ts';
import type { Cell, Merge, Sheet } from './types.ts';

const rowsLookedAt = 60;
const columnsLookedAt = 400;
/** So many units from left to right are a header of units, and no header with one word that looks like a unit. */
const fewestUnits = 3;
/** Larger sheets are not turned: they would have more columns than a table may. */
const mostRows = 5000;

const word = /област|облыс|(?<!\p{L})обл\.|(?<!\p{L})(?:region|oblast|district|р-н|район|аудан)/iu;
/** How the names of all regions begin, in Russian, Kazakh and English, those of 2018 as well. */
const start =
  /^(?:г\. ?|город )?(?:абай|акмол|ақмол|актюб|ақтөбе|алмат|атырау|западно|зап\.|батыс|жамбыл|жет[иіы]су|караганд|қараған|костанай|қостанай|кызылорд|қызылорд|мангист|маңғыст|павлодар|северо|сев\.|солтүстік|туркест|түркіст|южно|оңтүстік|улыта|ұлытау|восточно|вост\.|шығыс|астан|нур-султан|нұр-сұлтан|шымкент|abay|abai|akmola|aktobe|almaty|atyrau|west |zhambyl|zhetysu|zhetisu|karagand|kostanay|kyzylord|mangyst|mangist|pavlodar|north |turkestan|turkistan|ulytau|east |astana|shymkent)/iu;

/** Returns whether a text looks like the name of a region or a district; codes and numbers do not. */
function looksLikeUnit(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string' || cell.length > 80) return false;
  const text = lineOf(cell);
  return word.test(text) || start.test(text);
}

/**
 * Turns a sheet whose units stand from left to right, so that they stand below each other; undefined for any other one. What is
 * above the table stays above it. Merged cells are turned with it.
 */
export function turned(sheet: Sheet): Sheet | undefined {
  const header = sheet.rows.slice(0, rowsLookedAt).findIndex(isAcross);
  if (header === -1 || sheet.rows.length > mostRows) return undefined;
  const labels = sheet.rows.slice(header + 1).map((row) => row[0] ?? null);
  if (labels.filter(looksLikeUnit).length * 3 >= labels.length) return undefined;
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

function isAcross(row: readonly Cell[]): boolean {
  const texts = row.slice(0, columnsLookedAt).filter((cell) => cell !== null);
  const units = texts.slice(1).filter(looksLikeUnit).length + (looksLikeUnit(row[0]) ? 1 : 0);
  return units >= fewestUnits && units * 5 >= texts.length * 3;
}

/** The place of a merged cell, when the table that begins in row `top` is turned about its first cell. */
function turn({ top, left, bottom, right }: Merge, first: number): Merge {
  return { top: first + left, left: top - first, bottom: first + right, right: bottom - first };
}
