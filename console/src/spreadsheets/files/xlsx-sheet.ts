import { type Cell, type Merge, type Sheet, SpreadsheetFault } from '../model/types.ts';
import { type Format, numberCell, plainFormat } from './number-formats.ts';
import {
  type CellAllowance,
  createSheetBuilder,
  maxCellCharacters,
  maxColumns,
  maxRows,
  raised,
  visibleText,
} from './sheet-builder.ts';
import { attributeOf, plainText, readXml } from './xml.ts';

/** Data that all sheets of a workbook share. */
export interface Shared {
  readonly strings: readonly string[];
  readonly formats: readonly Format[];
  readonly is1904: boolean;
  readonly allowance: CellAllowance;
}

/**
 * Reads the rows of a sheet. The addresses of cells determine their positions; the stated size of the sheet is ignored.
 * @throws {SpreadsheetFault}
 */
export async function readSheet(
  pieces: AsyncIterable<string>,
  shared: Shared,
  { name, isHidden, part }: { readonly name: string; readonly isHidden: boolean; readonly part: string },
): Promise<Sheet> {
  const sheet = createSheetBuilder({ name, isHidden }, shared.allowance);
  let [row, column] = [-1, -1];
  let [type, format, text]: [string | undefined, Format, string] = [undefined, plainFormat, ''];
  let [isInCell, isInText, hasFormula, hasValue, isRaised] = [false, false, false, false, false];

  const endCell = (): void => {
    if (hasFormula && !hasValue) sheet.addFormulaWithoutValue();
    const cell = hasValue ? cellOf(text, type, format, shared) : null;
    if (cell === null) return;
    if (format.divisor > 1 && typeof cell === 'number') sheet.addDivided(row, text, String(cell));
    sheet.put(row, column, cell);
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
      if (isTrue(attributeOf(attributes, 'hidden'))) sheet.hideRow(row);
    } else if (tag === 'col') {
      const [first, last] = ['min', 'max'].map((name) => Number(attributeOf(attributes, name) ?? 0));
      if (isTrue(attributeOf(attributes, 'hidden')) && (first ?? 0) >= 1)
        sheet.hideColumns((first ?? 0) - 1, (last ?? 0) - 1);
    } else if (tag === 'mergeCell') {
      const merge = mergeOf(attributeOf(attributes, 'ref') ?? '');
      if (merge !== undefined) sheet.addMerge(merge);
    }
  };
  const close = (tag: string): void => {
    if (tag === 'v' || tag === 't') isInText = false;
    else if (tag === 'rPh') type = isInCell ? 'inlineStr' : type;
    else if (tag === 'c') {
      endCell();
      [isInCell, isRaised] = [false, false];
    }
  };
  const addText = (piece: string): void => {
    if (!isInText) return;
    hasValue = true;
    if (text.length < maxCellCharacters) text += isRaised ? raisedXml(piece) : piece;
  };
  await readXml(pieces, { open, close, text: addText }, part);
  return sheet.sheet();
}

function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Returns true if an element `vertAlign` makes superscript. */
export function isSuperscript(attributes: string): boolean {
  return attributeOf(attributes, 'val') === 'superscript';
}

/** Raises digits of text with unresolved references, whose digits stay. */
export function raisedXml(text: string): string {
  return text.replace(/&[^;]*;|[0-9]+/g, (found) => (found.startsWith('&') ? found : raised(found)));
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
      return text.trim() === '' || !Number.isFinite(Number(text))
        ? textCell(text)
        : numberCell(Number(text), format, is1904);
  }
}

/** Text as it was typed; null if nothing of it is visible. */
export function textCell(text: string): Cell {
  const typed = plainText(text)
    .slice(0, maxCellCharacters)
    // Excel writes characters that are invalid in XML by their code.
    .replace(/_x([\dA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return visibleText(typed);
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
  return { top: first.row, left: first.column, bottom: last.row, right: last.column };
}
