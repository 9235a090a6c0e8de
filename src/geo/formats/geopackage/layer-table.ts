import { isUtf8 } from 'node:buffer';
import type { DatabaseSync } from 'node:sqlite';
import { Problem } from '../../../lib/errors.ts';
import { featureProblems } from '../../../messages/vector.ts';

/** A column of attributes. */
interface AttributeColumn {
  readonly name: string;
  readonly declared: Declared;
}

/** Where the features of a layer are. */
export interface LayerTable {
  /** A table or view of the file. */
  readonly name: string;
  readonly isView: boolean;
  /** Absent for a layer without geometry. */
  readonly geometry: string | undefined;
  /** In the order of the table. */
  readonly columns: readonly AttributeColumn[];
  /** Columns for further geometry, which are not read. */
  readonly leftOut: readonly string[];
}

/** What GDAL says of a layer. */
interface LayerFacts {
  readonly name: string;
  readonly geometry: string | undefined;
  /** The column that numbers the features, often empty. */
  readonly key: string;
  readonly fields: readonly string[];
}

/** Columns that are declared so hold geometry, whether or not they are registered. */
const geometryTypes =
  /^(?:GEOMETRY|(?:MULTI)?(?:POINT|LINESTRING|POLYGON|CURVE|SURFACE)|GEOM(?:ETRY)?COLLECTION|CIRCULARSTRING|COMPOUNDCURVE|CURVEPOLYGON|POLYHEDRALSURFACE|TIN|TRIANGLE)$/i;
/** Names that programs give to a column which only numbers the rows; a key of another name says something. */
const plainKey = /^_?(?:(?:ogc|ogr|feature)?_?[fo]?id|gid|rowid|object_?id|pk(?:_?u?id)?)_?$/i;
/** A column that belongs to a virtual table, and is not shown. */
const hiddenColumn = 1;

/** Lists the columns of a layer, whatever types they declare. @throws {Problem} when a name is not in UTF-8. */
export function describeTable(database: DatabaseSync, layer: LayerFacts): LayerTable {
  const { name, geometry, key } = layer;
  const isThere = database.prepare(
    `select type from sqlite_schema where name = ? collate nocase and type in ('table', 'view')`,
  );
  // With several columns of geometry, GDAL puts the name of one behind that of the table.
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

/** Columns of a view that SQLite cannot compile, because it calls functions of GDAL's, are those that GDAL names. */
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

/** Whether the texts of a file are in UTF-8 and not in UTF-16, which SQLite translates. */
export function isStoredAsUtf8(database: DatabaseSync): boolean {
  return database.prepare('pragma encoding').get()?.['encoding'] === 'UTF-8';
}

/** The columns of a table that are registered as geometry, in lower case. */
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
    // A layer of attributes needs no such table.
    return new Set();
  }
}

/** Reads the names of the columns of a layer that the GeoPackage declares as JSON, by its schema extension; often none. */
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
    // There is no such table, or it is another than the extension's.
    return new Set();
  }
}

/** Declared types that have a JSON form of their own; SQLite itself has none of them. */
export type Declared = 'boolean' | 'time' | 'json' | 'other';

/** Returns what the type that a column declares means for its cells. */
function declaredKind(type: string): Declared {
  const name = type.trim().toUpperCase();
  if (name === 'BOOLEAN') return 'boolean';
  return name === 'DATE' || name === 'DATETIME' ? 'time' : 'other';
}
