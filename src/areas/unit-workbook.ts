import { buffer } from 'node:stream/consumers';
import { aboutSheet, type WorkbookCell, writeWorkbook } from '../lib/formats/workbook.ts';

interface UnitWorkbook {
  /** A name and what it is, line by line. */
  readonly about: readonly (readonly [name: string, text: string])[];
  readonly title: string;
  readonly sheets: { readonly about: string; readonly table: string };
  /** The first three are code, name and level of a unit. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly WorkbookCell[])[];
}

/** Writes a workbook of two sheets: a table by unit, which programs read first, and what it is. Equal tables give equal bytes. */
export async function unitWorkbook({ about, title, sheets, columns, rows }: UnitWorkbook): Promise<Buffer> {
  const widths = [12, 32, 12, 18];
  const table = { name: sheets.table, widths, head: columns, fixedColumns: 2, rows: [rows] };
  return await buffer(writeWorkbook([table, aboutSheet(sheets.about, title, about)]));
}
