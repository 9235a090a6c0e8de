import { type Cell, type Merge, type Sheet, SpreadsheetFault, type Workbook } from '../model/types.ts';
import { numberCell } from './number-formats.ts';
import { createOdsStyles, type OdsStyles } from './ods-styles.ts';
import {
  type CellAllowance,
  createSheetBuilder,
  faultySheet,
  maxCellCharacters,
  maxCells,
  maxColumns,
  maxRows,
  maxSheets,
  raised,
  type SheetAbout,
  type SheetBuilder,
  usableSheets,
  visibleText,
} from './sheet-builder.ts';
import { attributeOf, plainText, readXml } from './xml.ts';
import { type Allowance, maxUnpackedBytes, type Member, textOf } from './zip.ts';

const [contentPart, stylesPart, manifestPart] = [
  'content.xml',
  'styles.xml',
  'meta-inf/manifest.xml',
] as const;

/** Reads an OpenDocument spreadsheet: its sheets with their saved values. @throws {SpreadsheetFault} */
export async function readOds(members: ReadonlyMap<string, Member>): Promise<Workbook> {
  const allowance: Allowance = { bytes: maxUnpackedBytes };
  const read = async (part: string, open: (tag: string) => void): Promise<void> => {
    const member = members.get(part);
    if (member === undefined) return;
    await readXml(textOf(member, allowance), { open, close: () => undefined, text: () => undefined }, part);
  };
  let isEncrypted = members.has('encrypted-package');
  await read(manifestPart, (tag) => (isEncrypted ||= tag === 'encryption-data'));
  if (isEncrypted) throw new SpreadsheetFault('encrypted');
  const styles = createOdsStyles();
  const stylesMember = members.get(stylesPart);
  if (stylesMember !== undefined)
    await readXml(textOf(stylesMember, allowance), { ...styles, text: () => undefined }, stylesPart);
  const content = members.get(contentPart);
  if (content === undefined) throw new SpreadsheetFault('damaged', contentPart);
  const reader = createContentReader(styles);
  await readXml(textOf(content, allowance), reader, contentPart);
  return { kind: 'ods', sheets: usableSheets(reader.sheets()) };
}

/** Elements whose content is not shown in cells: comments, drawings, earlier versions, and settings. */
const passedOver = new Set([
  'annotation',
  'frame',
  'custom-shape',
  'g',
  'control',
  'shapes',
  'forms',
  'ruby-text',
  'tracked-changes',
  'dde-links',
  'content-validations',
  'database-ranges',
  'named-expressions',
]);
/** Sheets in which programs keep values of other workbooks. */
const ofOtherFile = /^'?[a-z]+:.*#/i;

interface OpenCell {
  readonly attributes: string;
  readonly style: string | undefined;
  readonly isCovered: boolean;
  text: string;
  paragraphs: number;
}

/** The sheet that is read. */
interface OpenSheet {
  readonly about: SheetAbout;
  readonly builder: SheetBuilder;
  readonly cellsBefore: number;
  /** Styles of cells that name none, by their column. */
  readonly columnStyles: (string | undefined)[];
  fault?: SpreadsheetFault;
}

function createContentReader(styles: OdsStyles) {
  const allowance: CellAllowance = { cells: maxCells };
  const found: Sheet[] = [];
  let [isInBody, hasBody] = [false, false];
  /** Depth of elements below one that is passed over. */
  let passed = 0;
  let depthOfTables = 0;
  let sheet: OpenSheet | undefined;
  let [row, column, columnsSeen] = [0, 0, 0];
  let rowAttributes = '';
  let rowCells: {
    readonly column: number;
    readonly count: number;
    readonly cell: Cell;
    readonly about: OpenCell;
  }[] = [];
  let cell: OpenCell | undefined;
  let isInText = false;
  /** For each open piece of text, true if its characters are superscript. */
  const spans: boolean[] = [];
  let raisedSpans = 0;

  const openSheet = (attributes: string): void => {
    if (found.length >= maxSheets) throw new SpreadsheetFault('tooManyFiles', contentPart);
    const name = attributeOf(attributes, 'name') ?? '';
    const about = { name, isHidden: styles.isHiddenTable(attributeOf(attributes, 'style-name') ?? '') };
    const builder = createSheetBuilder(about, allowance);
    sheet = { about, builder, cellsBefore: allowance.cells, columnStyles: [] };
    [row, columnsSeen] = [0, 0];
  };
  const closeSheet = ({ about, builder, fault }: OpenSheet): void => {
    if (!ofOtherFile.test(about.name))
      found.push(fault === undefined ? builder.sheet() : faultySheet(about, fault));
    sheet = undefined;
  };
  const openColumn = ({ builder, columnStyles }: OpenSheet, attributes: string): void => {
    const last = Math.min(maxColumns, columnsSeen + repeated(attributes, 'number-columns-repeated')) - 1;
    const style = attributeOf(attributes, 'default-cell-style-name');
    for (let at = columnsSeen; at <= last; at += 1) columnStyles.push(style);
    if (isInvisible(attributes)) builder.hideColumns(columnsSeen, last);
    columnsSeen = last + 1;
  };
  const openCell = ({ columnStyles }: OpenSheet, tag: string, attributes: string): void => {
    const style =
      attributeOf(attributes, 'style-name') ??
      attributeOf(rowAttributes, 'default-cell-style-name') ??
      columnStyles[column];
    cell = { attributes, style, isCovered: tag === 'covered-table-cell', text: '', paragraphs: 0 };
  };
  const closeCell = ({ builder }: OpenSheet, closed: OpenCell): void => {
    const count = repeated(closed.attributes, 'number-columns-repeated');
    const value = closed.isCovered ? null : cellOf(closed, styles);
    if (value !== null) {
      if (column + count > maxColumns) throw new SpreadsheetFault('damaged', contentPart);
      rowCells.push({ column, count, cell: value, about: closed });
    } else if (attributeOf(closed.attributes, 'formula') !== undefined && !closed.isCovered) {
      // The value of a formula that has a type or a paragraph is an empty text.
      const isSaved = closed.paragraphs > 0 || attributeOf(closed.attributes, 'value-type') !== undefined;
      if (!isSaved) builder.addFormulaWithoutValue();
    }
    if (closed.attributes.includes('-spanned')) builder.addMerge(mergeOf(closed.attributes));
    column += count;
  };
  const mergeOf = (attributes: string): Merge => ({
    top: row,
    left: column,
    bottom: row + repeated(attributes, 'number-rows-spanned') - 1,
    right: column + repeated(attributes, 'number-columns-spanned') - 1,
  });
  const closeRow = ({ builder }: OpenSheet): void => {
    const count = repeated(rowAttributes, 'number-rows-repeated');
    if (rowCells.length > 0) {
      if (row + count > maxRows) throw new SpreadsheetFault('damaged', contentPart);
      for (let at = row; at < row + count; at += 1) {
        if (isInvisible(rowAttributes)) builder.hideRow(at);
        for (const { column: first, count: times, cell: value, about } of rowCells) {
          for (let next = first; next < first + times; next += 1) builder.put(at, next, value);
          if (typeof value === 'number' && styles.formatOf(about.style ?? '').divisor > 1)
            builder.addDivided(at, attributeOf(about.attributes, 'value') ?? '', String(value));
        }
      }
    }
    row += count;
  };
  /** Reads one part of a sheet; after a fault, the rest of the sheet is passed over. */
  const guarded = (open: OpenSheet, read: () => void): void => {
    if (open.fault !== undefined) return;
    try {
      read();
    } catch (error) {
      if (!(error instanceof SpreadsheetFault)) throw error;
      open.fault = error;
      allowance.cells = open.cellsBefore;
    }
  };

  const openText = (open: OpenCell, tag: string, attributes: string): void => {
    if (tag === 'p' || tag === 'h') {
      if (open.paragraphs > 0) add(open, '\n');
      open.paragraphs += 1;
      isInText = true;
    } else if (tag === 'span') {
      const isRaised = styles.isRaised(attributeOf(attributes, 'style-name') ?? '');
      spans.push(isRaised);
      if (isRaised) raisedSpans += 1;
    } else if (tag === 's') add(open, ' '.repeat(Math.min(100, repeated(attributes, 'c'))));
    else if (tag === 'tab') add(open, '\t');
    else if (tag === 'line-break') add(open, '\n');
  };

  return {
    open(tag: string, attributes: string): void {
      if (passed > 0) passed += 1;
      else if (!isInBody) {
        if (tag === 'spreadsheet') [isInBody, hasBody] = [true, true];
        else styles.open(tag, attributes);
      } else if (passedOver.has(tag)) passed = 1;
      else if (tag === 'table') {
        depthOfTables += 1;
        if (depthOfTables === 1) openSheet(attributes);
      } else if (sheet === undefined || depthOfTables > 1) return;
      else if (tag === 'table-column') openColumn(sheet, attributes);
      else if (tag === 'table-row') {
        rowAttributes = attributes;
        column = 0;
        rowCells = [];
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') openCell(sheet, tag, attributes);
      else if (cell !== undefined) openText(cell, tag, attributes);
    },
    close(tag: string): void {
      if (passed > 0) passed -= 1;
      else if (!isInBody) styles.close(tag);
      else if (tag === 'spreadsheet') isInBody = false;
      else if (tag === 'table') {
        depthOfTables -= 1;
        if (depthOfTables === 0 && sheet !== undefined) closeSheet(sheet);
      } else if (sheet === undefined || depthOfTables > 1) return;
      else if (tag === 'table-row') {
        const open = sheet;
        guarded(open, () => closeRow(open));
        rowCells = [];
      } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
        const [open, closed] = [sheet, cell];
        if (closed !== undefined) guarded(open, () => closeCell(open, closed));
        [cell, isInText] = [undefined, false];
        [spans.length, raisedSpans] = [0, 0];
      } else if (tag === 'p' || tag === 'h') isInText = false;
      else if (tag === 'span' && spans.pop() === true) raisedSpans -= 1;
    },
    text(piece: string): void {
      if (cell === undefined || !isInText || passed > 0) return;
      // Blanks that are meant are elements; line breaks of the file are blanks.
      const plain = plainText(piece.replaceAll(/\s+/g, ' '));
      add(cell, raisedSpans > 0 ? raised(plain) : plain);
    },
    /** @throws {SpreadsheetFault} if the document is of another kind, such as a text */
    sheets(): readonly Sheet[] {
      if (!hasBody) throw new SpreadsheetFault('notSpreadsheet');
      return found;
    },
  };
}

function add(cell: OpenCell, text: string): void {
  if (cell.text.length < maxCellCharacters) cell.text += text;
}

function repeated(attributes: string, name: string): number {
  const count = Number(attributeOf(attributes, name) ?? 1);
  return Number.isInteger(count) && count >= 1 ? count : 1;
}

/** Returns true for a row or column that is hidden by hand or by a filter. */
function isInvisible(attributes: string): boolean {
  const visibility = attributeOf(attributes, 'visibility');
  return visibility === 'collapse' || visibility === 'filter';
}

/** Number of an error in LibreOffice that has no text of its own. */
const isError = /calcext:value-type\s*=\s*["']error/;
const numberedError = /^Err:\d+$/;

function cellOf({ attributes, style, text }: OpenCell, styles: OdsStyles): Cell {
  const type = attributeOf(attributes, 'value-type');
  if (type === 'string' && attributes.includes('error') && isError.test(attributes))
    return numberedError.test(text.trim()) ? '#VALUE!' : visibleText(text);
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage': {
      const value = attributeOf(attributes, 'value');
      if (value === undefined || value.trim() === '' || !Number.isFinite(Number(value)))
        return visibleText(text);
      const format = styles.formatOf(style ?? '');
      const shown = type === 'percentage' ? 'percent' : format.shown === 'percent' ? 'percent' : 'number';
      return numberCell(Number(value), { ...format, shown }, false);
    }
    case 'date':
      return dateCell(attributeOf(attributes, 'date-value') ?? '', style, styles) ?? visibleText(text);
    case 'time':
      return timeCell(attributeOf(attributes, 'time-value') ?? '') ?? visibleText(text);
    case 'boolean':
      return attributeOf(attributes, 'boolean-value') === 'true' ? 'TRUE' : 'FALSE';
    default:
      return visibleText(attributeOf(attributes, 'string-value') ?? text);
  }
}

const isoDate = /^(\d{4})-(\d\d)-\d\d(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?)?/;

/** A date as its format shows it: a day, a month or a year. */
function dateCell(value: string, style: string | undefined, styles: OdsStyles): Cell | undefined {
  const [, year, month, time = '00:00'] = isoDate.exec(value) ?? [];
  if (year === undefined || month === undefined) return undefined;
  const { shown } = styles.formatOf(style ?? '');
  if (shown === 'year') return year;
  if (shown === 'month') return `${year}-${month}`;
  return time === '00:00' ? value.slice(0, 10) : `${value.slice(0, 10)}T${time}`;
}

function timeCell(value: string): Cell | undefined {
  const [, hours, minutes] = /^PT(\d+)H(\d+)M/.exec(value) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}
