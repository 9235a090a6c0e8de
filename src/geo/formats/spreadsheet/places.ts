import { type CellRange, workbookLimits } from '../../spreadsheet.ts';

/** Returns the zero-based number of a column such as `AB`; undefined beyond the limit of spreadsheets. */
export function columnNumber(letters: string): number | undefined {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number >= 1 && number <= workbookLimits.columns ? number - 1 : undefined;
}

const placePattern = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/;

/** Reads a place such as `$B$5`. */
export function readPlace(text: string): readonly [row: number, column: number] | undefined {
  const [, letters = '', digits = ''] = placePattern.exec(text) ?? [];
  const [row, column] = [Number(digits) - 1, columnNumber(letters)];
  return column === undefined || !(row >= 0 && row < workbookLimits.rows) ? undefined : [row, column];
}

/** Reads a range such as `$B$5:$B$10`, or a single place. */
export function readRange(text: string): CellRange | undefined {
  const [from = '', to = from, ...more] = text.split(':');
  const [start, end] = [readPlace(from), readPlace(to)];
  if (start === undefined || end === undefined || more.length > 0) return undefined;
  return [
    Math.min(start[0], end[0]),
    Math.min(start[1], end[1]),
    Math.max(start[0], end[0]),
    Math.max(start[1], end[1]),
  ];
}

export function isWithin([top, left, bottom, right]: CellRange, row: number, column: number): boolean {
  return row >= top && row <= bottom && column >= left && column <= right;
}

/** Functions of formulas that read from or write to something outside the workbook. */
const outsideFunctions =
  /(?<![\w.])(?:WEBSERVICE|DDE|RTD|CALL|REGISTER(?:\.ID)?|SQL\.REQUEST|IMAGE|CUBE(?:MEMBER|VALUE|SET)\w*)\s*\(/i;
/** Another file: `[1]Sheet!A1`, `'[book.xlsx]Sheet'!A1`, `'file:///x'#$Sheet.A1`, or a program: `cmd|'/c calc'!A0`. */
const outsideReferences =
  /\[[^\][]+\][\p{L}\p{N}_.]*!|'[^']*\[[^\]]+\][^']*'!|'[^']*'#|(?:^|[^\w"])\w+\|\s*'?[^"]*!/u;

/** Returns whether a formula reads from outside the workbook. */
export function readsOutside(formula: string): boolean {
  const withoutTexts = formula.replaceAll(/"[^"]*"/g, '""');
  return outsideFunctions.test(withoutTexts) || outsideReferences.test(withoutTexts);
}
