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
  /** Rows and columns that the program does not show, from 0. */
  readonly hidden?: { readonly rows: ReadonlySet<number>; readonly columns: ReadonlySet<number> };
  /** Numbers that their format shows divided, such as in millions: how many, and the first of them. */
  readonly divided?: {
    readonly count: number;
    readonly row: number;
    readonly text: string;
    readonly became: string;
  };
  /** Repairs that the cells of a text with delimiters needed. */
  readonly textNotes?: TextNotes;
  /** Why its rows could not be read; the other sheets can be used. */
  readonly fault?: SpreadsheetFault;
}

/** How a text with delimiters was read, where that is not certain. */
export interface TextNotes {
  /** The charset that its letters are likeliest in, where they are not Unicode. */
  readonly charset?: string;
  /** Bytes that stand for nothing in its charset. */
  readonly lostBytes?: number;
  /** Rows in which decimal commas without quotes were put together again. */
  readonly joinedRows?: number;
  /** The first row, from 1, with more cells than the header, and how many there are. */
  readonly longRows?: { readonly count: number; readonly row: number };
}

export interface Workbook {
  readonly kind: 'xlsx' | 'text';
  readonly sheets: readonly Sheet[];
  /** How the bytes of a text were read. */
  readonly encoding?: string;
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
  'formulasOnly',
  'unquotedCommas',
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
  'negatives',
  'footnoteMarks',
  'percents',
  'textInValues',
  'decimalCommasAssumed',
  'mixedCommas',
  'decimalPointsAssumed',
  'mixedPoints',
  'namesRepeated',
  'noHeader',
  'periodAbove',
  'partAbove',
  'periodsOpen',
  'valuesTwice',
  'periodsUnreadable',
  'columnsLeftOut',
  'severalTables',
  'mergedValues',
  'hiddenKept',
  'hiddenLeftOut',
  'valuesDivided',
  'charsetGuessed',
  'bytesLost',
  'commasJoined',
  'rowsLonger',
  'groupsFilled',
  'placesTwice',
  'codesShort',
  'cellsCopied',
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

/** A table in a sheet; rows and columns count from 0, both ends belong to it. */
export interface TableArea {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  /** Infinity where nothing is beside it. */
  readonly right: number;
  /** Name for people; empty for the only table of a sheet. */
  readonly label: string;
}

/** A choice by hand, where the page has understood something wrongly. */
export interface Choice {
  /** Which table of the sheet, from 0. */
  readonly table?: number;
  /** True if rows and columns that the workbook hides are left out. */
  readonly withoutHidden?: boolean;
  readonly header?: HeaderRows;
  /** By the place of a column in the sheet. */
  readonly roles?: ReadonlyMap<number, Role>;
}

export interface Table {
  /** All tables of the sheet, of which this is one; a person has to choose where there are several. */
  readonly tables: readonly TableArea[];
  /** True where a part of the sheet is hidden in its workbook. */
  readonly hasHidden: boolean;
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
