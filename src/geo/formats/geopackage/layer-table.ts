import { isUtf8 } from 'node:buffer';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../../../lib/errors.ts';
import { featureProblems } from '../../../messages/vector/english.ts';
import type { Declared } from '../geojson/cell-json.ts';
import { lowerAscii } from './check.ts';
import { openReadOnly, quotedName } from './sqlite-file.ts';

interface AttributeColumn {
  readonly name: string;
  readonly declared: Declared;
}

/** Location of the features of a layer. */
export interface LayerTable {
  /** A table or view of the file. */
  readonly name: string;
  readonly isView: boolean;
  /** Absent for a layer without geometry. */
  readonly geometry: string | undefined;
  /** In table order. */
  readonly columns: readonly AttributeColumn[];
  /** Further geometry columns, which are not read. */
  readonly leftOut: readonly string[];
}

/** GDAL's description of a layer. */
interface LayerFacts {
  readonly name: string;
  readonly geometry: string | undefined;
  /** The column with feature numbers; often empty. */
  readonly key: string;
  readonly fields: readonly string[];
}

/** Columns of these declared types are geometry, registered or not. */
const geometryTypes =
  /^(?:GEOMETRY|(?:MULTI)?(?:POINT|LINESTRING|POLYGON|CURVE|SURFACE)|GEOM(?:ETRY)?COLLECTION|CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON|POLYHEDRALSURFACE|TIN|TRIANGLE)$/i;
/** Usual names of a column that only numbers the rows; a key with another name is data. */
const plainKey = /^_?(?:(?:ogc|ogr|feature)?_?[fo]?id|gid|rowid|object_?id|pk(?:_?u?id)?)_?$/i;
/** Value of `hidden` in `table_xinfo` for an internal column of a virtual table. */
const hiddenColumn = 1;

/** Lists the columns of a layer, whatever types they declare. @throws {Problem} if a name is not UTF-8. */
export function describeTable(database: DatabaseSync, layer: LayerFacts): LayerTable {
  const { name, geometry, key } = layer;
  const isThere = database.prepare(
    `select type from sqlite_schema where name = ? collate nocase and type in ('table', 'view')`,
  );
  // For several geometry columns, GDAL appends the name of one to that of the table.
  const table = isThere.get(name) === undefined ? name.replace(/ \([^(]*\)$/, '') : name;
  const all = columnsOf(database, table, layer);
  const isNamed = (wanted: string | undefined) => (column: { readonly name: string }) =>
    wanted !== undefined && column.name.toLowerCase() === wanted.toLowerCase();
  const others = all.filter(
    (column) => !isNamed(geometry)(column) && !(isNamed(key)(column) && plainKey.test(column.name)),
  );
  const layers = registeredGeometry(database, table);
  const isLayer = ({ name: column }: { readonly name: string }) => layers.has(column.toLowerCase());
  const isGeometry = ({ type }: { readonly type: string }) => geometryTypes.test(type.trim());
  const json = readJsonColumns(database, table);
  return {
    name: table,
    isView: isThere.get(table)?.['type'] === 'view',
    geometry: geometry === undefined ? undefined : all.find(isNamed(geometry))?.name,
    columns: others
      .filter((column) => !isLayer(column) && !isGeometry(column))
      .map((column) => ({
        name: column.name,
        declared: json.has(column.name) ? 'json' : declaredKind(column.type),
      })),
    leftOut: others.filter((column) => isGeometry(column) && !isLayer(column)).map((column) => column.name),
  };
}

/** For a view that SQLite cannot compile, because it calls functions of GDAL, the columns are those that GDAL reports. */
function columnsOf(database: DatabaseSync, table: string, { fields, geometry }: LayerFacts) {
  try {
    return readColumns(database, table);
  } catch (error) {
    if (error instanceof Problem) throw error;
    return [...fields, ...(geometry === undefined ? [] : [geometry])].map((name) => ({ name, type: '' }));
  }
}

function readColumns(database: DatabaseSync, table: string) {
  const columns = database
    .prepare('select name, cast(name as blob) as bytes, type, hidden from pragma_table_xinfo(?)')
    .all(table)
    .filter(({ hidden }) => hidden !== hiddenColumn);
  return columns.map(({ name, bytes, type }) => {
    if (bytes instanceof Uint8Array && !isUtf8(bytes) && isStoredAsUtf8(database))
      throw featureProblems.notUtf8(1);
    return { name: String(name), type: String(type) };
  });
}

/** Returns whether the texts of a file are stored in UTF-8, rather than in UTF-16, which SQLite converts. */
export function isStoredAsUtf8(database: DatabaseSync): boolean {
  return database.prepare('pragma encoding').get()?.['encoding'] === 'UTF-8';
}

/** Returns in lower case the columns of a table that are registered as geometry. */
function registeredGeometry(database: DatabaseSync, table: string): ReadonlySet<string> {
  try {
    const rows = database
      .prepare(
        `select substr(column_name, 1, 256) as name from gpkg_geometry_columns
         where table_name = ? collate nocase limit 4096`,
      )
      .all(table);
    return new Set(rows.map(({ name }) => String(name).toLowerCase()));
  } catch {
    // A layer of attributes does not need this table.
    return new Set();
  }
}

/** Returns the columns of a layer that the schema extension declares as JSON; often none. */
function readJsonColumns(database: DatabaseSync, layer: string): ReadonlySet<string> {
  try {
    const rows = database
      .prepare(
        `select substr(column_name, 1, 256) as name from gpkg_data_columns
         where table_name = ? collate nocase and mime_type = 'application/json' limit 4096`,
      )
      .all(layer);
    return new Set(rows.map(({ name }) => String(name)));
  } catch {
    // The table does not exist, or is not that of the extension.
    return new Set();
  }
}

/** Returns the meaning of a column's declared type. */
function declaredKind(type: string): Declared {
  const name = type.trim().toUpperCase();
  if (name === 'BOOLEAN') return 'boolean';
  return name === 'DATE' || name === 'DATETIME' ? 'time' : 'other';
}

/** Tables of the format, of SQLite, of QGIS and of SpatiaLite, which contain no user data. */
const serviceTable =
  /^(?:gpkg_|rtree_|sqlite_)|^(?:layer_styles|qgis_projects|spatial_ref_sys|geometry_columns|android_metadata)$/i;
const maxRows = 10_000;

/** Registered tables that GDAL would skip or misread. */
interface Repairs {
  /** Names that differ in case from their table. */
  readonly renamed: readonly (readonly [listed: string, table: string])[];
  /** Rows of further geometry columns: GDAL uses the last one only, and loses its CRS. */
  readonly furtherGeometry: readonly number[];
  /** Unregistered tables, which GDAL shows only if no other table of attributes is registered. */
  readonly unlisted: readonly string[];
}

/**
 * Registers the tables of a GeoPackage as GDAL expects: each by its exact name, with one geometry column.
 * @param copy makes a writable copy. @returns its path, or that of a file without need of repair.
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
    // A file that cannot be repaired is read unchanged.
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

/** Otherwise the file's own triggers would fire on changes of the lists. */
function dropTriggers(database: DatabaseSync): void {
  for (const { name } of database.prepare("select name from sqlite_schema where type = 'trigger'").all())
    database.exec(`drop trigger ${quotedName(String(name))}`);
}
