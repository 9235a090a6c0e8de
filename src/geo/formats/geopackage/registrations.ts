import { DatabaseSync } from 'node:sqlite';
import { lowerAscii } from './check.ts';
import { openReadOnly, quotedName } from './open-read-only.ts';

/** Tables of the format, of SQLite, of QGIS and of SpatiaLite: no data of anybody's. */
const serviceTable =
  /^(?:gpkg_|rtree_|sqlite_)|^(?:layer_styles|qgis_projects|spatial_ref_sys|geometry_columns|android_metadata)$/i;
const maxRows = 10_000;

/** What GDAL would pass over, or take for something else, because of how a GeoPackage lists its tables. */
interface Repairs {
  /** Names that are listed with other capitals than their table has. */
  readonly renamed: readonly (readonly [listed: string, table: string])[];
  /** Rows of further geometry columns of a table: GDAL takes the last for the only one, and loses its reference system. */
  readonly furtherGeometry: readonly number[];
  /** Unlisted tables, which GDAL shows only while no other table of attributes is listed. */
  readonly unlisted: readonly string[];
}

/**
 * Lists the tables of a GeoPackage as GDAL expects them: each table by its own name, with one column of geometry.
 * @param copy makes a copy that may be changed. @returns its path, or the path of a file that needs no repair.
 */
export function withRegistrations(path: string, copy: () => string): string {
  const repairs = findRepairs(path);
  if (repairs === undefined) return path;
  const repaired = copy();
  using database = new DatabaseSync(repaired, { allowExtension: false, enableForeignKeyConstraints: false });
  try {
    database.exec('begin');
    dropTriggers(database);
    for (const [listed, table] of repairs.renamed)
      for (const list of ['gpkg_contents', 'gpkg_geometry_columns'])
        database.prepare(`update ${list} set table_name = ? where table_name = ?`).run(table, listed);
    for (const row of repairs.furtherGeometry)
      database.prepare('delete from gpkg_geometry_columns where rowid = ?').run(row);
    for (const table of repairs.unlisted)
      database
        .prepare("insert into gpkg_contents (table_name, data_type) values (?, 'attributes')")
        .run(table);
    database.exec('commit');
    return repaired;
  } catch {
    // What cannot be repaired is read as it is.
    return path;
  }
}

function findRepairs(path: string): Repairs | undefined {
  using database = openReadOnly(path);
  try {
    const tables = database
      .prepare(
        `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' limit ${maxRows}`,
      )
      .all()
      .map(({ name }) => String(name));
    const contents = database
      .prepare(`select table_name, data_type from gpkg_contents limit ${maxRows}`)
      .all()
      .map((row) => ({ table: String(row['table_name']), kind: String(row['data_type']) }));
    const geometry = geometryColumnsOf(database);
    const owners = new Map(tables.map((table) => [lowerAscii(table), table]));
    const listed = new Set([...contents.map(({ table }) => table), ...geometry.map(({ table }) => table)]);
    const renamed = [...listed].flatMap((name) => {
      const table = owners.get(lowerAscii(name));
      return table === undefined || table === name ? [] : [[name, table] as const];
    });
    const seen = new Set<string>();
    const furtherGeometry = geometry.flatMap(({ row, table }) => {
      const isFurther = seen.has(lowerAscii(table));
      seen.add(lowerAscii(table));
      return isFurther ? [row] : [];
    });
    const known = new Set([...listed].map(lowerAscii));
    const hidesOthers = contents.some(({ kind }) => kind === 'attributes');
    const unlisted = hidesOthers
      ? tables.filter((table) => !known.has(lowerAscii(table)) && !serviceTable.test(table))
      : [];
    const isSound = renamed.length + furtherGeometry.length + unlisted.length === 0;
    return isSound ? undefined : { renamed, furtherGeometry, unlisted };
  } catch {
    return undefined;
  }
}

function geometryColumnsOf(database: DatabaseSync) {
  const isThere = database.prepare("select 1 from sqlite_schema where name = 'gpkg_geometry_columns'").get();
  if (isThere === undefined) return [];
  return database
    .prepare(`select rowid as row, table_name from gpkg_geometry_columns order by rowid limit ${maxRows}`)
    .all()
    .map((each) => ({ row: Number(each['row']), table: String(each['table_name']) }));
}

/** The file's own triggers decide what happens when the lists are changed. */
function dropTriggers(database: DatabaseSync): void {
  for (const { name } of database.prepare("select name from sqlite_schema where type = 'trigger'").all())
    database.exec(`drop trigger ${quotedName(String(name))}`);
}
