import { MiB } from '../lib/units.ts';

/** Formats of workbooks that can be read and filled. */
export const workbookFormats = ['xlsx', 'ods'] as const;
export type WorkbookFormat = (typeof workbookFormats)[number];

/** Limits of a workbook, far beyond any form. */
export const workbookLimits = {
  packedBytes: 16 * MiB,
  unpackedBytes: 128 * MiB,
  /** Limit of a part that is parsed. */
  partBytes: 32 * MiB,
  parts: 2000,
  sheets: 200,
  /** Non-empty cells of all sheets. */
  cells: 200_000,
  names: 5000,
  merges: 50_000,
  /** Characters of a text that a reader gets. */
  cellCharacters: 500,
  rows: 1_048_576,
  columns: 16_384,
} as const;

/** `f` stands for a formula, also for a cell that an array formula fills; its text is empty. */
export type CellKind = 't' | 'n' | 'f';

/** A non-empty cell; row and column are zero-based. */
export type SheetCell = readonly [row: number, column: number, kind: CellKind, text: string];

/** First and last row and column, zero-based. */
export type CellRange = readonly [top: number, left: number, bottom: number, right: number];

export interface SheetContent {
  readonly name: string;
  readonly isHidden: boolean;
  readonly cells: readonly SheetCell[];
  readonly merges: readonly CellRange[];
}

/** A name that a person has given to cells of one sheet. */
export interface DefinedName {
  readonly name: string;
  /** Index of the sheet; null for a name that is not a range of cells of one sheet. */
  readonly sheet: number | null;
  readonly range: CellRange | null;
}

/** The contents of a workbook that matter to a form. */
export interface WorkbookContent {
  readonly sheets: readonly SheetContent[];
  readonly names: readonly DefinedName[];
}

/** A value for a cell: a number, or a text that is never read as a formula. */
export interface CellValue {
  readonly sheet: number;
  readonly row: number;
  readonly column: number;
  readonly value: number | string;
}
