import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type StoredTable, maxRows } from './stored-table.ts';

const Column = z.object({ name: z.string(), type: z.string(), pk: z.bigint() });
const Geometry = z.object({ name: z.string() });
const Cell = z.union([z.null(), z.bigint(), z.number(), z.string(), z.instanceof(Uint8Array)]);
const Row = z.array(Cell);

/**
 * Reads the cells of a layer as SQLite stores them, each in the words of JSON; undefined where the layer is no table.
 * @throws where the file cannot be read
 */
export function readGeoPackage(path: string, layer: string): StoredTable | undefined {
  const url = pathToFileURL(path);
  // Makes no files beside it.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false });
  try {
    // A view may compute for ever.
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
