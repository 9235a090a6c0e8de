import { DatabaseSync } from 'node:sqlite';

/** Required tables of a GeoPackage, and a layer `places` without features. */
const required = `
  pragma application_id = 1196444487;
  pragma user_version = 10200;
  create table gpkg_spatial_ref_sys (srs_name text not null, srs_id integer not null primary key,
    organization text not null, organization_coordsys_id integer not null, definition text not null, description text);
  insert into gpkg_spatial_ref_sys values ('Undefined', -1, 'NONE', -1, 'undefined', null), ('WGS 84', 4326, 'EPSG', 4326,
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]', null);
  create table gpkg_contents (table_name text not null primary key, data_type text not null, identifier text unique,
    description text default '', last_change datetime not null default '2026-01-01T00:00:00.000Z',
    min_x double, min_y double, max_x double, max_y double, srs_id integer);
  create table gpkg_geometry_columns (table_name text not null, column_name text not null,
    geometry_type_name text not null, srs_id integer not null, z tinyint not null, m tinyint not null,
    constraint pk_geom_cols primary key (table_name, column_name));
  create table gpkg_extensions (table_name text, column_name text, extension_name text not null,
    definition text not null, scope text not null, unique (table_name, column_name, extension_name));
  create table places (fid integer primary key autoincrement not null, geom blob, name text);
  insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('places', 'features', 'places', 4326);
  insert into gpkg_geometry_columns values ('places', 'geom', 'GEOMETRY', 4326, 0, 0);`;

/**
 * Writes a GeoPackage without GDAL: a layer `places` with a feature for each geometry, whatever its cell
 * contains. `sql` then changes the file; it may even change SQLite's schema table.
 */
export function writeGeoPackage(
  path: string,
  options: { readonly geometries?: readonly (Uint8Array | string | number | null)[]; readonly sql?: string },
): string {
  const database = new DatabaseSync(path, { defensive: false, enableDoubleQuotedStringLiterals: true });
  database.function('st_x', { varargs: true, deterministic: true }, () => 0);
  database.exec('pragma journal_mode = off; pragma synchronous = off;');
  database.exec(required);
  const insert = database.prepare('insert into places (geom, name) values (?, ?)');
  for (const [index, geometry] of (options.geometries ?? [pointBlob(70, 50)]).entries())
    insert.run(geometry, `place ${index + 1}`);
  database.exec(options.sql ?? '');
  database.close();
  return path;
}

/** SQL that adds an entry to the schema table which SQLite itself would not write. */
export function listed(type: string, name: string, definition: string, rootPage = 0): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return `pragma writable_schema = on;
    insert into sqlite_master values (${quote(type)}, ${quote(name)}, ${quote(name)}, ${rootPage}, ${quote(definition)});
    pragma writable_schema = off;`;
}

/** SQL that registers a table or view as a layer without geometry. */
export function registered(name: string): string {
  return `insert into gpkg_contents (table_name, data_type, identifier) values ('${name}', 'attributes', '${name}');`;
}

/** A geometry cell: the header of GeoPackage, then WKB. `flags` set byte order, envelope and emptiness. */
export function geometryBlob(
  wkb: Uint8Array,
  { flags = 1, envelope = [] }: { readonly flags?: number; readonly envelope?: readonly number[] } = {},
): Buffer {
  const header = Buffer.from([0x47, 0x50, 0, flags, 0xe6, 0x10, 0, 0]);
  return Buffer.concat([header, doubles(envelope), wkb]);
}

export function pointBlob(lon: number, lat: number): Buffer {
  return geometryBlob(Buffer.concat([wkbHead(1), doubles([lon, lat])]));
}

/** Head of a little-endian WKB: type and, where the type has members, their number. */
export function wkbHead(kind: number, count?: number): Buffer {
  const head = Buffer.alloc(count === undefined ? 5 : 9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(kind, 1);
  if (count !== undefined) head.writeUInt32LE(count, 5);
  return head;
}

export function doubles(values: readonly number[]): Buffer {
  return Buffer.from(Float64Array.from(values).buffer);
}
