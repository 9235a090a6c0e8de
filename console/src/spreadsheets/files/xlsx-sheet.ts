import { dateText, type Format, plainFormat } from './xlsx-styles.ts';
import { type Cell, type Merge, type Sheet, SpreadsheetFault } from '../model/types.ts';
import { attributeOf, plainText, readXml } from './xml.ts';

/** Limit of cells in a workbook, including the empty ones before them, since each takes memory. */
export const maxCells = 4_000_000;
const maxRows = 1_048_576;
const maxColumns = 16_384;
/** Limit of Excel for the text of a cell. */
export const maxCellCharacters = 32_767;
const maxMerges = 100_000;
/** Number of empty rows that take as much memory as a cell. */
const emptyRowsPerCell = 8;

/** Data that all sheets of a workbook share. */
export interface Shared {
  readonly strings: readonly string[];
  readonly formats: readonly Format[];
  readonly is1904: boolean;
  /** Remaining number of cells that may be read. */
  readonly allowance: { cells: number };
}

const noCells: readonly Cell[] = [];

/**
 * Reads the rows of a sheet. The addresses of cells determine their positions; the stated size of the sheet is ignored.
 * @throws {SpreadsheetFault}
 */
export async function readSheet(
  pieces: AsyncIterable<string>,
  shared: Shared,
  { name, isHidden, part }: { readonly name: string; readonly isHidden: boolean; readonly part: string },
): Promise<Sheet> {
  const rows: (readonly Cell[])[] = [];
  const merges: Merge[] = [];
  let formulasWithoutValue = 0;
  let [row, column] = [-1, -1];
  let cells: Cell[] = [];
  const hidden = { rows: new Set<number>(), columns: new Set<number>() };
  let divided: Sheet['divided'];
  let isRowHidden = false;
  let columnsToHide = maxColumns;
  let [type, format, text]: [string | undefined, Format, string] = [undefined, plainFormat, ''];
  let [isInCell, isInText, hasFormula, hasValue, isRaised] = [false, false, false, false, false];

  const endRow = (): void => {
    if (cells.length === 0) return;
    if (isRowHidden) hidden.rows.add(row);
    shared.allowance.cells -= Math.max(0, row - rows.length) / emptyRowsPerCell;
    // A row out of order is inserted at its position.
    while (rows.length < row) rows.push(noCells);
    rows[row] = cells;
    cells = [];
  };
  const endCell = (): void => {
    if (hasFormula && !hasValue) formulasWithoutValue += 1;
    const cell = hasValue ? cellOf(text, type, format, shared) : null;
    if (cell === null) return;
    if (format.divisor > 1 && typeof cell === 'number') {
      divided ??= { count: 0, row: row + 1, text, became: String(cell) };
      divided = { ...divided, count: divided.count + 1 };
    }
    shared.allowance.cells -= Math.max(1, column - cells.length + 1);
    if (shared.allowance.cells < 0) throw new SpreadsheetFault('tooManyCells', name);
    while (cells.length < column) cells.push(null);
    cells[column] = cell;
  };
  const open = (tag: string, attributes: string): void => {
    if (tag === 'c') {
      const place = columnOf(attributeOf(attributes, 'r'));
      column = place ?? column + 1;
      if (column >= maxColumns) throw new SpreadsheetFault('damaged', part);
      type = attributeOf(attributes, 't');
      format = shared.formats[Number(attributeOf(attributes, 's') ?? -1)] ?? plainFormat;
      [isInCell, hasFormula, hasValue, text] = [true, false, false, ''];
    } else if (tag === 'v' || (tag === 't' && type === 'inlineStr')) {
      isInText = isInCell;
      // `=IF(…,"")` was saved with its value: an empty text.
      if (type === 'str') hasValue = true;
    } else if (tag === 'f') hasFormula = true;
    else if (tag === 'rPh') type = isInCell ? 'phonetic' : type;
    else if (tag === 'r') isRaised = false;
    else if (tag === 'vertAlign') isRaised = isSuperscript(attributes);
    else if (tag === 'row') {
      row = Number(attributeOf(attributes, 'r') ?? row + 2) - 1;
      if (!(row >= 0 && row < maxRows)) throw new SpreadsheetFault('damaged', part);
      column = -1;
      isRowHidden = isTrue(attributeOf(attributes, 'hidden'));
    } else if (tag === 'col') {
      const [first, last] = ['min', 'max'].map((name) => Number(attributeOf(attributes, name) ?? 0));
      if (isTrue(attributeOf(attributes, 'hidden')))
        for (let at = first ?? 0; at >= 1 && at <= (last ?? 0) && columnsToHide > 0; at += 1) {
          hidden.columns.add(at - 1);
          columnsToHide -= 1;
        }
    } else if (tag === 'mergeCell') {
      const merge = mergeOf(attributeOf(attributes, 'ref') ?? '');
      if (merge !== undefined && merges.length < maxMerges) merges.push(merge);
    }
  };
  const close = (tag: string): void => {
    if (tag === 'v' || tag === 't') isInText = false;
    else if (tag === 'rPh') type = isInCell ? 'inlineStr' : type;
    else if (tag === 'c') {
      endCell();
      [isInCell, isRaised] = [false, false];
    } else if (tag === 'row') endRow();
  };
  const addText = (piece: string): void => {
    if (!isInText) return;
    hasValue = true;
    if (text.length < maxCellCharacters) text += isRaised ? raised(piece) : piece;
  };
  await readXml(pieces, { open, close, text: addText }, part);
  const isAnyHidden = hidden.rows.size + hidden.columns.size > 0;
  return {
    name,
    isHidden,
    rows,
    merges,
    formulasWithoutValue,
    ...(isAnyHidden ? { hidden } : {}),
    ...(divided === undefined ? {} : { divided }),
  };
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Returns true if an element `vertAlign` makes superscript. */
export function isSuperscript(attributes: string): boolean {
  return attributeOf(attributes, 'val') === 'superscript';
}

const digits = '0123456789';
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Converts digits to superscript characters, so that a footnote mark is not read as the last digit of a number. */
export function raised(text: string): string {
  return text.replace(/&[^;]*;|[0-9]/g, (found) =>
    found.length > 1 ? found : raisedDigits.charAt(digits.indexOf(found)),
  );
}

function cellOf(text: string, type: string | undefined, format: Format, { strings, is1904 }: Shared): Cell {
  switch (type) {
    case 's':
      return strings[Number(text)] || null;
    case 'str':
    case 'inlineStr':
      return textCell(text);
    case 'b':
      return text === '1' || text === 'true' ? 'TRUE' : 'FALSE';
    case 'e':
      return plainText(text);
    case 'd':
      return plainText(text).replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '');
    default:
      return numberCell(text, format, is1904);
  }
}

/** A double has 15 reliable digits, and Excel shows no more. */
const trustedDigits = 15;

function numberCell(text: string, { shown, divisor }: Format, is1904: boolean): Cell {
  const exact = Number(text);
  if (text.trim() === '' || !Number.isFinite(exact)) return textCell(text);
  const value = text.length > trustedDigits ? Number(exact.toPrecision(trustedDigits)) : exact;
  if (shown === 'number') return divisor === 1 ? value : Number((value / divisor).toPrecision(trustedDigits));
  if (shown === 'percent') return `${Number((value * 100).toPrecision(trustedDigits))}%`;
  return dateText(value, shown, is1904) ?? value;
}

/** Text as it was typed; null if nothing of it is visible. */
export function textCell(text: string): Cell {
  const typed = plainText(text)
    .slice(0, maxCellCharacters)
    // Excel writes characters that are invalid in XML by their code.
    .replace(/_x([\dA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return typed.trim() === '' ? null : typed;
}

/** The column in an address such as `AB12`, from 0. */
function columnOf(address: string | undefined): number | undefined {
  if (address === undefined) return undefined;
  let column = 0;
  let at = 0;
  for (; at < 4; at += 1) {
    const letter = (address.charCodeAt(at) | 0x20) - 0x60;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  return at === 0 ? undefined : column - 1;
}

function mergeOf(ref: string): Merge | undefined {
  const [first, last] = ref.split(':').map((address) => {
    const row = Number(/\d+$/.exec(address)?.[0] ?? 0) - 1;
    return { row, column: columnOf(address) ?? -1 };
  });
  if (first === undefined || last === undefined || first.row < 0 || first.column < 0) return undefined;
  if (last.row < first.row || last.column < first.column || last.row >= maxRows) return undefined;
  return { top: first.row, left: first.column, bottom: last.row, right: last.column };
}
