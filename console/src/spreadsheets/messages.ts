import type { Cell, Choice, FaultCode, Table } from './model/types.ts';

/** A sheet to choose. */
export interface SheetFacts {
  readonly name: string;
  readonly isHidden: boolean;
  readonly rowCount: number;
}

export interface OpenedWorkbook {
  readonly sheets: readonly SheetFacts[];
  /** Index of the visible sheet with the most rows. */
  readonly best: number;
  readonly encoding: string | undefined;
}

/** A table without its rows. */
export interface TableFacts extends Omit<Table, 'rows' | 'rowNumbers' | 'cellRemarks'> {
  readonly rowCount: number;
}

export interface UnderstoodTable {
  readonly table: TableFacts;
  /** The wide form of a long table. */
  readonly wide: TableFacts | undefined;
}

/** The name of the place of a row without a code. */
export interface Place {
  readonly name: string;
  readonly region: string | null;
  /** The district of a rural district or settlement, if the table gives it. */
  readonly district?: string;
}

export interface ShownRows {
  readonly rows: readonly (readonly Cell[])[];
  /** The row number of each in the sheet, from 1. */
  readonly numbers: readonly number[];
}

export interface FinishRequest {
  readonly isWide: boolean;
  /** A code or null for each row of a table that has names alone; the codes become its first column. */
  readonly codes: { readonly column: string; readonly values: readonly (string | null)[] } | undefined;
  /** The name of the file, without an extension. */
  readonly name: string;
  readonly maxBytes: number;
}

export interface FinishedTable {
  readonly file: Blob;
  readonly extension: 'zip' | 'geojson';
}

interface Calls {
  readonly open: {
    readonly request: { readonly file: Blob; readonly name: string };
    readonly answer: OpenedWorkbook;
  };
  readonly understand: {
    readonly request: { readonly sheet: number; readonly choice: Choice };
    readonly answer: UnderstoodTable;
  };
  readonly rows: {
    readonly request: {
      readonly isWide: boolean;
      readonly from: number;
      readonly count: number;
      readonly columns: number;
    };
    readonly answer: ShownRows;
  };
  readonly places: { readonly request: { readonly isWide: boolean }; readonly answer: readonly Place[] };
  readonly pairs: { readonly request: { readonly isWide: boolean }; readonly answer: readonly Place[] };
  readonly finish: { readonly request: FinishRequest; readonly answer: FinishedTable };
}

export type Kind = keyof Calls;
export type RequestOf<K extends Kind> = Calls[K]['request'];
export type AnswerOf<K extends Kind> = Calls[K]['answer'];
export type Question = {
  [K in Kind]: { readonly job: number; readonly kind: K; readonly request: RequestOf<K> };
}[Kind];

export type Reply =
  | { readonly job: number; readonly answer: AnswerOf<Kind> }
  | { readonly job: number; readonly fault: FaultCode; readonly where: string | undefined };
