/**
 * A cell as a person reads it: a number, or text. A cell with a date format is text in ISO form ("2020-01-31"), one with a
 * percent format is text with its sign ("12.5%"), an error is its text ("#N/A"). Null: it is empty.
 */
export type Cell = number | string | null;

/** Cells that are one; rows and columns count from 0, both ends belong to it. */
export interface Merge {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Rows by their place in the sheet; each ends with its last cell that is not empty. */
  readonly rows: readonly (readonly Cell[])[];
  readonly merges: readonly Merge[];
  /** Formulas that were saved without their value. */
  readonly formulasWithoutValue: number;
  /** Why its rows could not be read; the other sheets can be used. */
  readonly fault?: SpreadsheetFault;
}

export interface Workbook {
  readonly kind: 'xlsx' | 'text';
  readonly sheets: readonly Sheet[];
  /** How the bytes of a text were read. */
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251';
}

/** Why a spreadsheet cannot be read: the name of a sentence. */
export const faultCodes = [
  'empty',
  'oldExcel',
  'encrypted',
  'otherSpreadsheet',
  'notSpreadsheet',
  'damaged',
  'tooLarge',
  'tooManyFiles',
  'tooTight',
  'documentType',
  'tooManyCells',
  'noSheets',
  'tooSlow',
  'workerFailed',
  'noTable',
  'resultTooLarge',
] as const;
export type FaultCode = (typeof faultCodes)[number];

/** A spreadsheet, or a part of it, that cannot be read. */
export class SpreadsheetFault extends Error {
  readonly code: FaultCode;
  /** The part of the file, the sheet, or the limit that was met. */
  readonly where: string | undefined;

  constructor(code: FaultCode, where?: string) {
    super(where === undefined ? code : `${code}: ${where}`);
    this.code = code;
    this.where = where;
  }
}

/** A remark about how a table was understood: the name of a sentence. */
export const remarkCodes = [
  'noKey',
  'codesRepaired',
  'codesWereNumbers',
  'codesShortened',
  'codesUnreadable',
  'totalsKept',
  'rowsLeftOut',
  'turned',
  'missingMarks',
  'errorCells',
  'formulasWithoutValue',
  'percents',
  'textInValues',
  'decimalCommasAssumed',
  'mixedCommas',
  'namesRepeated',
  'noHeader',
  'periodAbove',
  'valuesTwice',
  'periodsUnreadable',
  'columnsLeftOut',
] as const;
export type RemarkCode = (typeof remarkCodes)[number];

export interface Remark {
  readonly code: RemarkCode;
  /** Cells, rows or columns that it is about. */
  readonly count: number;
  /** The first row that it is about, as the sheet counts them: from 1. */
  readonly row?: number;
  readonly column?: string;
  /** What stands there, and for a repaired code what was made of it. */
  readonly text?: string;
  readonly became?: string;
}

/** The time of a column's values, or of a cell. */
export interface Period {
  /** `YYYY-MM-DD`: the point in time, or the first day. */
  readonly start_date: string;
  /** The last day; null for a point in time. */
  readonly end_date: string | null;
}

/**
 * What a column holds. `code`: KATO codes. `name`: names of districts or regions. `region`: names of the regions that these lie
 * in. `period` and `indicator`: of a long table, the time of a row's values and what they count. `note`: all else.
 */
export const roles = ['code', 'name', 'region', 'period', 'indicator', 'value', 'note'] as const;
export type Role = (typeof roles)[number];

export interface Column {
  /** All lines of its header, from top to bottom; different from that of every other column. */
  readonly name: string;
  readonly role: Role;
  /** The time of its values, where its name says one. */
  readonly period?: Period;
  /** Its place in the sheet, from 0; undefined where no column of the sheet is this one. */
  readonly source?: number;
}

/** Rows of the header; `first` counts from 0, and `count` may be 0. */
export interface HeaderRows {
  readonly first: number;
  readonly count: number;
}

/** A choice by hand, where the page has understood something wrongly. */
export interface Choice {
  readonly header?: HeaderRows;
  /** By the place of a column in the sheet. */
  readonly roles?: ReadonlyMap<number, Role>;
}

export interface Table {
  /** The lines above the header, as one text; undefined without any. */
  readonly title: string | undefined;
  readonly headerRows: HeaderRows;
  readonly columns: readonly Column[];
  /** A cell for each column: numbers of values as numbers, codes repaired, missing values as null. */
  readonly rows: readonly (readonly Cell[])[];
  /** The row of the sheet that each row stands in, from 1. */
  readonly rowNumbers: readonly number[];
  /** The lines below the table: sources and explanations. */
  readonly notes: readonly string[];
  /** True where the same districts come once for each time or indicator, so that the table has to be made wide. */
  readonly isLong: boolean;
  readonly remarks: readonly Remark[];
}
