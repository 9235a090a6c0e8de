import type { DatabaseSync } from 'node:sqlite';

/** Reads the names of the columns of a layer that the GeoPackage declares as JSON, by its schema extension; often none. */
export function readJsonColumns(database: DatabaseSync, layer: string): ReadonlySet<string> {
  try {
    const rows = database
      .prepare(
        `select substr(column_name, 1, 256) as name from gpkg_data_columns
         where table_name = ? collate nocase and mime_type = 'application/json' limit 4096`,
      )
      .all(layer);
    return new Set(rows.map(({ name }) => String(name)));
  } catch {
    // There is no such table, or it is another than the extension's.
    return new Set();
  }
}
