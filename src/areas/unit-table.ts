import { csvText } from '../lib/formats/csv-text.ts';
import { type ParquetColumn, writeParquet } from '../lib/formats/parquet.ts';

/** Goes into every ETag: raise it when the same figures are written in another way. */
export const unitFileVersion = 2;

/** A table with a row of each unit, for programs: columns with their names and types, and the rows. */
export interface UnitTable {
  readonly columns: readonly (ParquetColumn & { readonly type: 'text' | 'number' })[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export function unitCsv({ columns, rows }: UnitTable): Buffer {
  return Buffer.from(csvText([columns.map(({ name }) => name), ...rows]));
}

/** Writes what a table is made of as JSON, or its table as CSV or Parquet. */
export async function unitBytes(
  what: object,
  { form, table }: { readonly form: 'json' | 'csv' | 'parquet'; table(): UnitTable },
): Promise<Buffer> {
  if (form === 'json') return Buffer.from(JSON.stringify(what));
  if (form === 'csv') return unitCsv(table());
  const { columns, rows } = table();
  const pieces: Uint8Array[] = [];
  for await (const piece of writeParquet({ columns, rows: [rows] })) pieces.push(piece);
  return Buffer.concat(pieces);
}
