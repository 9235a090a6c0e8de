import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { fromBufferPromise } from 'yauzl';
import { z } from 'zod';

/** The table that a file contains. */
export interface StoredTable {
  readonly columns: readonly string[];
  /** Cells in column order: text, null, or undefined if they are not compared. */
  readonly rows: readonly (readonly (string | null | undefined)[])[];
}

/** The number of rows that are compared. */
export const maxRows = 20_000;

const maxTableBytes = 64 * 1024 * 1024;
const deletedMark = 0x2a;

const Column = z.object({ name: z.string(), type: z.string(), pk: z.bigint() });
const Geometry = z.object({ name: z.string() });
const Cell = z.union([z.null(), z.bigint(), z.number(), z.string(), z.instanceof(Uint8Array)]);
const Row = z.array(Cell);

/**
 * Reads the ASCII cells of the only .dbf in an archive; undefined unless there is exactly one.
 * @throws when the file cannot be read
 */
export async function readZippedDbf(archive: Buffer): Promise<StoredTable | undefined> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true, validateEntrySizes: true });
  const tables: Buffer[] = [];
  for await (const entry of zip.eachEntry()) {
    const isTable = /\.dbf$/i.test(entry.fileName) && !/(?:^|\/)(?:\.|__MACOSX)/.test(entry.fileName);
    if (isTable && entry.uncompressedSize <= maxTableBytes)
      tables.push(await buffer(await zip.openReadStreamPromise(entry)));
  }
  const [table] = tables;
  return table === undefined || tables.length > 1 ? undefined : readDbf(table);
}

function readDbf(bytes: Buffer): StoredTable {
  const [count, headBytes, rowBytes] = [bytes.readUInt32LE(4), bytes.readUInt16LE(8), bytes.readUInt16LE(10)];
  const columns: {
    readonly name: string;
    readonly type: string;
    readonly offset: number;
    readonly length: number;
  }[] = [];
  let offset = 1;
  for (let at = 32; at + 32 <= headBytes && bytes[at] !== 0x0d; at += 32) {
    const name = bytes.toString('latin1', at, at + 11).replace(/\0.*/s, '');
    const [type, length] = [bytes.toString('latin1', at + 11, at + 12), bytes.readUInt8(at + 16)];
    columns.push({ name, type, offset, length });
    offset += length;
  }
  const rows: (string | null | undefined)[][] = [];
  for (let row = 0; row < Math.min(count, maxRows); row += 1) {
    const at = headBytes + row * rowBytes;
    if (bytes[at] === deletedMark) continue;
    rows.push(
      columns.map(({ type, offset: place, length }) =>
        cellOf(type, bytes.toString('latin1', at + place, at + place + length)),
      ),
    );
  }
  return { columns: columns.map(({ name }) => name), rows };
}

/** Returns the text of a cell, null for a missing value, or undefined if it is not compared. */
function cellOf(type: string, cell: string): string | null | undefined {
  if (!/^[\t -~]*$/.test(cell)) return undefined;
  const text = cell.trim();
  switch (type) {
    case 'N':
    case 'F':
      return /^(?:\*+|[+-]?(?:nan|1\.#(?:ind|qnan)\d*))?$/i.test(text) ? null : text;
    case 'D':
      return /^(?:\*+|0*)$/.test(text) ? null : text;
    case 'L':
      return /^[?*]?$/.test(text) ? null : text;
    case 'C':
      return text === '' ? null : text;
    default:
      return undefined;
  }
}

/**
 * Reads the cells of a layer from SQLite as JSON texts; undefined when the layer is not a table.
 * @throws when the file cannot be read
 */
export function readGeoPackage(path: string, layer: string): StoredTable | undefined {
  const url = pathToFileURL(path);
  // Prevents files beside the database.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false });
  try {
    // A view may be slow without limit.
    const table = database.prepare(
      "select 1 from sqlite_schema where type = 'table' and name = ? and sql like 'create table%'",
    );
    if (table.get(layer) === undefined) return undefined;
    const geometries = z
      .array(Geometry)
      .parse(
        database
          .prepare('select column_name as name from gpkg_geometry_columns where table_name = ?')
          .all(layer),
      );
    const info = database.prepare('select name, type, pk from pragma_table_info(?)');
    info.setReadBigInts(true);
    const columns = z
      .array(Column)
      .parse(info.all(layer))
      .filter(
        ({ name, type, pk }) =>
          !(pk > 0n && /^int/i.test(type)) && !geometries.some((each) => each.name === name),
      );
    const names = columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
    if (names.length === 0) return undefined;
    const select = database.prepare(
      `select ${names.join()} from "${layer.replaceAll('"', '""')}" limit ${maxRows}`,
    );
    select.setReadBigInts(true);
    select.setReturnArrays(true);
    const rows = z.array(Row).parse(select.all());
    return {
      columns: columns.map(({ name }) => name),
      rows: rows.map((row) => row.map(textOf)),
    };
  } finally {
    database.close();
  }
}

function textOf(cell: z.infer<typeof Cell>): string | null {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('hex').toUpperCase();
  return cell === null || Number.isNaN(cell) ? null : String(cell);
}
