import type { Status } from '../../../../common/table/marks.ts';

/**
 * A cell as a person reads it: a number or text. A date is text in ISO form ("2020-01-31"), a percentage is text with
 * its sign ("12.5%"), an error is its text ("#N/A"). Null for an empty cell.
 */
export type Cell = number | string | null;

/** A merged cell; rows and columns count from 0, both ends are inclusive. */
export interface Merge {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** Rows by their index in the sheet; each ends with its last cell that is not empty. */
  readonly rows: readonly (readonly Cell[])[];
  readonly merges: readonly Merge[];
  /** Formulas that were saved without their value. */
  readonly formulasWithoutValue: number;
  /** Hidden rows and columns, from 0. */
  readonly hidden?: { readonly rows: ReadonlySet<number>; readonly columns: ReadonlySet<number> };
  /** Numbers whose format divides them, for example to millions: their count, and the first of them. */
  readonly divided?: {
    readonly count: number;
    readonly row: number;
    readonly text: string;
    readonly became: string;
  };
  /** Repairs of the cells of a delimited text, and the charset of a workbook of Excel 5.0 or 95. */
  readonly textNotes?: TextNotes;
  /** The reason why its rows could not be read; the other sheets can be used. */
  readonly fault?: SpreadsheetFault;
}

/** Uncertain results of reading a delimited text. */
export interface TextNotes {
  /** The guessed charset, if the text is not Unicode. */
  readonly charset?: string;
  /** Number of bytes that are undefined in its charset. */
  readonly lostBytes?: number;
  /** Number of rows in which unquoted decimal commas were joined. */
  readonly joinedRows?: number;
  /** The first row, from 1, with more cells than the header, and the number of such rows. */
  readonly longRows?: { readonly count: number; readonly row: number };
}

export interface Workbook {
  readonly kind: 'xlsx' | 'xls' | 'ods' | 'text';
  readonly sheets: readonly Sheet[];
  /** The encoding of a text. */
  readonly encoding?: string;
}

/** The reasons why a spreadsheet cannot be read, each the name of a sentence. */
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
  /** The part of the file, the sheet, or the limit that caused it. */
  readonly where: string | undefined;

  constructor(code: FaultCode, where?: string) {
    super(where === undefined ? code : `${code}: ${where}`);
    this.code = code;
    this.where = where;
  }
}

/** A remark on the interpretation of a table: the name of a sentence. */
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
  'partsFound',
  'partsAssumed',
  'partsOpen',
  'remarksLeftOut',
  'unitsMixed',
] as const;
export type RemarkCode = (typeof remarkCodes)[number];

/** A mark of cells with its meaning. */
export interface CountedMark {
  readonly sign: string;
  readonly status: Status;
  readonly count: number;
}

export interface Remark {
  readonly code: RemarkCode;
  /** Number of cells, rows or columns concerned. */
  readonly count: number;
  /** The first row concerned, with its number in the sheet, from 1. */
  readonly row?: number;
  readonly column?: string;
  /** The text of the cell, with the result for a repaired code. */
  readonly text?: string;
  readonly became?: string;
  /** The different marks of these cells. */
  readonly marks?: readonly CountedMark[];
}

/** A row of a sheet with its number, from 1. */
export interface NumberedRow {
  readonly number: number;
  readonly cells: readonly Cell[];
  /** Columns whose cell is merged with that of a row above. */
  readonly copied?: ReadonlySet<number>;
  /** Columns whose number is merged over several units or times, so that it belongs to none of them alone. */
  readonly shared?: ReadonlySet<number>;
}

/** The time of a column's values, or of a cell. */
export interface Period {
  /** `YYYY-MM-DD`: the point in time, or the first day. */
  readonly start_date: string;
  /** The last day; null for a point in time. */
  readonly end_date: string | null;
}

/**
 * The role of a column. `code`: KATO codes. `name`: names of districts or regions. `region`: names of their regions.
 * `period` and `indicator`: in a long table, the time of a row's values and what they measure. `note`: anything else.
 */
export const roles = ['code', 'name', 'region', 'period', 'indicator', 'value', 'note'] as const;
export type Role = (typeof roles)[number];

export interface Column {
  /** The lines of its header from top to bottom, joined; unique among the columns. */
  readonly name: string;
  readonly role: Role;
  /** The time of its values, if its name gives one. */
  readonly period?: Period;
  /** The unit of its values, as the sheet writes it. */
  readonly unit?: string;
  /** Its index in the sheet, from 0; undefined for a column that is not in the sheet. */
  readonly source?: number;
}

/** Rows of the header; `first` counts from 0, and `count` may be 0. */
export interface HeaderRows {
  readonly first: number;
  readonly count: number;
}

/** A table in a sheet; rows and columns count from 0, both ends are inclusive. */
export interface TableArea {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  /** Infinity if there is nothing to its right. */
  readonly right: number;
  /** Name to show; empty for the only table of a sheet. */
  readonly label: string;
}

/** Corrections by a person of a wrong interpretation. */
export interface Choice {
  /** Index of the table in the sheet, from 0. */
  readonly table?: number;
  /** True if rows and columns that the workbook hides are left out. */
  readonly withoutHidden?: boolean;
  readonly header?: HeaderRows;
  /** Roles by the index of a column in the sheet. */
  readonly roles?: ReadonlyMap<number, Role>;
}

/** Remarks on the cells of a row, by the index of the column; undefined without any. */
export type CellRemarks = ReadonlyMap<number, string> | undefined;

export interface Table {
  /** All tables of the sheet, including this one; a person has to choose if there are several. */
  readonly tables: readonly TableArea[];
  /** True if a part of the sheet is hidden in its workbook. */
  readonly hasHidden: boolean;
  /** The lines above the header, as one text; undefined without any. */
  readonly title: string | undefined;
  readonly headerRows: HeaderRows;
  readonly columns: readonly Column[];
  /** A cell for each column: numbers of values as numbers, codes repaired, missing values as null. */
  readonly rows: readonly (readonly Cell[])[];
  /** The remarks on the cells of each row, by the index of the column, as `writeRemark` writes them. */
  readonly cellRemarks: readonly CellRemarks[];
  /** The row number of each row in the sheet, from 1. */
  readonly rowNumbers: readonly number[];
  /** The lines below the table: sources and explanations. */
  readonly notes: readonly string[];
  /** True if the same districts occur once for each time or indicator, so that the table has to be made wide. */
  readonly isLong: boolean;
  readonly remarks: readonly Remark[];
}
