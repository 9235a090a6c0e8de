import { type Cell, type Sheet, SpreadsheetFault } from '../model/types.ts';
import { type Format, numberCell, plainFormat } from './number-formats.ts';
import {
  type CellAllowance,
  createSheetBuilder,
  maxColumns,
  type SheetAbout,
  visibleText,
} from './sheet-builder.ts';
import {
  contentOf,
  errorText,
  kinds,
  recordHeaderBytes,
  recordsFrom,
  shortNumber,
  type Texts,
} from './xls-records.ts';

/** Data that all sheets of a workbook share. */
export interface SharedOfXls extends Texts {
  readonly view: DataView<ArrayBuffer>;
  readonly strings: readonly string[];
  /** Number formats by the index of a cell's format. */
  readonly formats: readonly Format[];
  readonly is1904: boolean;
  readonly allowance: CellAllowance;
  /** Remaining bytes of all sheets: none is inside another one. */
  readonly left: { bytes: number };
}

/** Smallest sizes of the records that are read at fixed positions. */
const fewestBytes: ReadonlyMap<number, number> = new Map([
  [kinds.formula, 20],
  [kinds.columnFormat, 10],
  [kinds.manyShortNumbers, 6],
  [kinds.richText, 8],
  [kinds.sharedText, 10],
  [kinds.number, 14],
  [kinds.text, 8],
  [kinds.booleanOrError, 8],
  [kinds.row, 14],
  [kinds.shortNumber, 10],
]);

interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly cell: Cell;
}

const results = { text: 0, boolean: 1, error: 2, emptyText: 3 };
/** Flags of a formula that its writer has not computed. */
const recalculated = 3;

/**
 * Reads the sheet at a position of the stream. Its cells determine their positions; the stated size is ignored.
 * @throws {SpreadsheetFault}
 */
export function readXlsSheet(
  shared: SharedOfXls,
  { at, ...about }: SheetAbout & { readonly at: number },
): Sheet {
  const { view, strings, formats, is1904, allowance, left } = shared;
  const sheet = createSheetBuilder(about, allowance);
  const short = (place: number): number => view.getUint16(place, true);
  /** The formula whose text follows in a record of its own. */
  let waiting: { readonly row: number; readonly column: number } | undefined;
  let computed = 0;
  /** Formulas with the result that programs write that compute nothing. */
  const uncomputed: PlacedCell[] = [];
  let depth = 0;

  const put = (row: number, column: number, cell: Cell): void => {
    if (column >= maxColumns) throw new SpreadsheetFault('damaged', about.name);
    if (cell !== null) sheet.put(row, column, cell);
  };
  const putNumber = (row: number, column: number, format: number, value: number): void => {
    const shown = formats[format] ?? plainFormat;
    const cell = Number.isFinite(value) ? numberCell(value, shown, is1904) : null;
    if (shown.divisor > 1 && typeof cell === 'number') sheet.addDivided(row, String(value), String(cell));
    put(row, column, cell);
  };
  const keep = (placed: PlacedCell): void => {
    allowance.cells -= 1;
    if (allowance.cells < 0) throw new SpreadsheetFault('tooManyCells', about.name);
    uncomputed.push(placed);
  };
  const putShared = (row: number, column: number, index: number): void => {
    const text = strings[index];
    if (text === undefined) throw new SpreadsheetFault('damaged', about.name);
    put(row, column, text || null);
  };
  const readFormula = (start: number): void => {
    const [row, column, format] = [short(start), short(start + 2), short(start + 4)];
    if (short(start + 12) !== 0xffff) {
      const value = view.getFloat64(start + 6, true);
      const isComputed = value !== 0 || (short(start + 14) & recalculated) !== recalculated;
      if (isComputed) {
        putNumber(row, column, format, value);
        computed += 1;
      } else keep({ row, column, cell: numberCell(value, formats[format] ?? plainFormat, is1904) });
      return;
    }
    const [type, value] = [view.getUint8(start + 6), view.getUint8(start + 8)];
    if (type === results.emptyText) keep({ row, column, cell: null });
    else computed += 1;
    if (type === results.text) waiting = { row, column };
    else if (type === results.boolean) put(row, column, value === 1 ? 'TRUE' : 'FALSE');
    else if (type === results.error) put(row, column, errorText(value));
  };

  for (const record of recordsFrom(view, at)) {
    const { kind, start, end } = record;
    left.bytes -= end - start + recordHeaderBytes;
    if (left.bytes < 0 || end - start < (fewestBytes.get(kind) ?? 0))
      throw new SpreadsheetFault('damaged', about.name);
    if (kind === kinds.begin) depth += 1;
    else if (depth === 0) throw new SpreadsheetFault('damaged', about.name);
    else if (kind === kinds.end) {
      depth -= 1;
      if (depth === 0) return ended();
    }
    // A chart inside the sheet.
    if (depth > 1) continue;
    switch (kind) {
      case kinds.row:
        if (short(start + 12) & 0x20) sheet.hideRow(short(start));
        break;
      case kinds.columnFormat:
        if (short(start + 8) & 1) sheet.hideColumns(short(start), short(start + 2));
        break;
      case kinds.mergedCells:
        for (let place = start + 2; place + 8 <= end; place += 8)
          sheet.addMerge({
            top: short(place),
            bottom: short(place + 2),
            left: short(place + 4),
            right: short(place + 6),
          });
        break;
      case kinds.sharedText:
        putShared(short(start), short(start + 2), view.getUint32(start + 6, true));
        break;
      case kinds.number:
        putNumber(short(start), short(start + 2), short(start + 4), view.getFloat64(start + 6, true));
        break;
      case kinds.shortNumber:
        putNumber(short(start), short(start + 2), short(start + 4), shortNumber(view, start + 6));
        break;
      case kinds.manyShortNumbers:
        for (let place = start + 4, column = short(start + 2); place + 6 < end; place += 6, column += 1)
          putNumber(short(start), column, short(place), shortNumber(view, place + 2));
        break;
      case kinds.text:
      case kinds.richText: {
        const content = contentOf(view, { ...record, start: start + 6 });
        const text = kind === kinds.text ? content.text(shared, 2) : content.richText(shared);
        put(short(start), short(start + 2), visibleText(text));
        break;
      }
      case kinds.booleanOrError: {
        const value = view.getUint8(start + 6);
        const isError = view.getUint8(start + 7) === 1;
        put(short(start), short(start + 2), isError ? errorText(value) : value === 1 ? 'TRUE' : 'FALSE');
        break;
      }
      case kinds.formula:
        if (waiting !== undefined) sheet.addFormulaWithoutValue();
        waiting = undefined;
        readFormula(start);
        break;
      case kinds.formulaText:
        if (waiting !== undefined)
          put(waiting.row, waiting.column, visibleText(contentOf(view, record).text(shared, 2)));
        waiting = undefined;
        break;
      default:
    }
  }
  throw new SpreadsheetFault('damaged', about.name);

  function ended(): Sheet {
    // A program that computes nothing leaves all formulas so; others have few results that are empty or zero.
    for (const { row, column, cell } of uncomputed)
      if (computed === 0) sheet.addFormulaWithoutValue();
      else put(row, column, cell);
    return sheet.sheet();
  }
}
