import { type Cell, type Merge, type Sheet, SpreadsheetFault } from '../model/types.ts';

/** Limit of cells in a workbook, including the empty ones before them, since each takes memory. */
export const maxCells = 4_000_000;
export const maxRows = 1_048_576;
export const maxColumns = 16_384;
/** Limit of Excel for the text of a cell. */
export const maxCellCharacters = 32_767;
export const maxSheets = 1000;
/** Limit of characters in all shared strings of a workbook. */
export const maxSharedCharacters = 64 * 1024 * 1024;
const maxMerges = 100_000;
/** Number of empty rows that take as much memory as a cell. */
const emptyRowsPerCell = 8;

/** Remaining number of cells that may be read in a workbook. */
export interface CellAllowance {
  cells: number;
}

export interface SheetAbout {
  readonly name: string;
  readonly isHidden: boolean;
}

/** The row that all empty rows share; nothing is added to it. */
const noCells: Cell[] = [];

/** Collects the cells of a sheet, in any order, with what is hidden and merged in it. All formats use it. */
export function createSheetBuilder({ name, isHidden }: SheetAbout, allowance: CellAllowance) {
  const rows: Cell[][] = [];
  const merges: Merge[] = [];
  const hiddenRows = new Set<number>();
  const hiddenColumns: { readonly first: number; readonly last: number }[] = [];
  let divided: Sheet['divided'];
  let formulasWithoutValue = 0;
  let width = 0;
  return {
    /** Adds a cell that is not empty. @throws {SpreadsheetFault} if the workbook has too many */
    put(row: number, column: number, cell: Cell): void {
      while (rows.length <= row) {
        allowance.cells -= 1 / emptyRowsPerCell;
        rows.push(noCells);
      }
      let cells = rows[row] ?? noCells;
      if (cells === noCells) {
        cells = [];
        rows[row] = cells;
      }
      allowance.cells -= Math.max(1, column - cells.length + 1);
      if (allowance.cells < 0) throw new SpreadsheetFault('tooManyCells', name);
      while (cells.length < column) cells.push(null);
      cells[column] = cell;
      if (column >= width) width = column + 1;
    },
    /** Counts a number that its format divides. */
    addDivided(row: number, text: string, became: string): void {
      divided = { row: row + 1, text, became, ...divided, count: (divided?.count ?? 0) + 1 };
    },
    addFormulaWithoutValue(): void {
      formulasWithoutValue += 1;
    },
    addMerge(merge: Merge): void {
      const { top, left, bottom, right } = merge;
      // One cell, as some programs write it, is not merged with any.
      if (bottom === top && right === left) return;
      const isRange = top >= 0 && bottom >= top && left >= 0 && right >= left && bottom < maxRows;
      if (isRange && merges.length < maxMerges) merges.push(merge);
    },
    hideRow(row: number): void {
      hiddenRows.add(row);
    },
    /** Hides columns; both ends are inclusive. */
    hideColumns(first: number, last: number): void {
      if (first >= 0 && hiddenColumns.length < maxColumns) hiddenColumns.push({ first, last });
    },
    sheet(): Sheet {
      // Hidden rows and columns without cells are none that a person misses.
      const columns = new Set<number>();
      for (const { first, last } of hiddenColumns)
        for (let column = first; column <= last && column < width; column += 1) columns.add(column);
      const hidden = {
        rows: new Set([...hiddenRows].filter((row) => (rows[row]?.length ?? 0) > 0)),
        columns,
      };
      return {
        name,
        isHidden,
        rows,
        merges,
        formulasWithoutValue,
        ...(hidden.rows.size + columns.size > 0 ? { hidden } : {}),
        ...(divided === undefined ? {} : { divided }),
      };
    },
  };
}

export type SheetBuilder = ReturnType<typeof createSheetBuilder>;

/** Text of a cell; null if nothing of it is visible. */
export function visibleText(text: string): string | null {
  return text.trim() === '' ? null : text.slice(0, maxCellCharacters);
}

const digits = '0123456789';
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Converts digits to superscript characters, so that a footnote mark is not read as the last digit of a number. */
export function raised(text: string): string {
  return text.replace(/[0-9]/g, (digit) => raisedDigits.charAt(digits.indexOf(digit)));
}

/** A sheet that cannot be read is reported where sheets are chosen; the others can be used. */
export function faultySheet({ name, isHidden }: SheetAbout, fault: SpreadsheetFault): Sheet {
  return { name, isHidden, rows: [], merges: [], formulasWithoutValue: 0, fault };
}

/** Returns the sheets if one of them can be used. @throws {SpreadsheetFault} */
export function usableSheets(sheets: readonly Sheet[]): readonly Sheet[] {
  const [first] = sheets;
  if (first === undefined) throw new SpreadsheetFault('noSheets');
  if (first.fault !== undefined && sheets.every(({ fault }) => fault !== undefined)) throw first.fault;
  return sheets;
}
