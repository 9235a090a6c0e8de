/** Tables, triggers and geometry headers of GeoPackage 1.2, which older readers support as well. */

/** Longitude and latitude on WGS 84. */
export const epsg = 4326;
const wgs84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],' +
  'AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' +
  'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]';

/**
 * Application id "GPKG", version 10200, and no files beside the file: the changes of a transaction in an empty file fit
 * into memory. Node refuses to switch the journal off.
 */
export const packageHeader = `
  pragma page_size = 4096; pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive;
  pragma application_id = 1196444487; pragma user_version = 10200;`;

/** Tables before those of the layer, with the coordinate reference systems that the standard requires. */
export const packageTables = `
  create table gpkg_spatial_ref_sys (srs_name TEXT not null, srs_id INTEGER not null primary key,
    organization TEXT not null, organization_coordsys_id INTEGER not null, definition TEXT not null, description TEXT);
  create table gpkg_contents (table_name TEXT not null primary key, data_type TEXT not null, identifier TEXT unique,
    description TEXT default '', last_change DATETIME not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    constraint fk_gc_r_srs_id foreign key (srs_id) references gpkg_spatial_ref_sys(srs_id));
  create table gpkg_geometry_columns (table_name TEXT not null, column_name TEXT not null,
    geometry_type_name TEXT not null, srs_id INTEGER not null, z TINYINT not null, m TINYINT not null,
    constraint pk_geom_cols primary key (table_name, column_name), constraint uk_gc_table_name unique (table_name),
    constraint fk_gc_tn foreign key (table_name) references gpkg_contents(table_name),
    constraint fk_gc_srs foreign key (srs_id) references gpkg_spatial_ref_sys (srs_id));
  insert into gpkg_spatial_ref_sys values
    ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinates'),
    ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinates'),
    ('WGS 84 geodetic', ${epsg}, 'EPSG', ${epsg}, '${wgs84}', 'longitude and latitude in degrees');`;

/** A layer: its table, and two columns of it. The names need no quotes. */
export interface PackageLayer {
  readonly table: string;
  readonly fid: string;
  readonly geometry: string;
}

/** Spatial index of a layer without its triggers, and the row that registers it. */
export const indexTables = ({ table, geometry }: PackageLayer): string => `
  create table gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT not null, definition TEXT not null,
    scope TEXT not null, constraint ge_tce unique (table_name, column_name, extension_name));
  insert into gpkg_extensions values ('${table}', '${geometry}', 'gpkg_rtree_index',
    'http://www.geopackage.org/spec120/#extension_rtree', 'write-only');
  create virtual table rtree_${table}_${geometry} using rtree(id, minx, maxx, miny, maxy);`;

/**
 * Triggers of the standard that maintain the index on later edits; they call functions of GIS programs, so that they
 * are created after the rows.
 */
export function indexTriggers({ table, fid, geometry }: PackageLayer): string {
  const index = `rtree_${table}_${geometry}`;
  const place = `new.${geometry}`;
  const entry = `new.${fid}, ST_MinX(${place}), ST_MaxX(${place}), ST_MinY(${place}), ST_MaxY(${place})`;
  const put = `insert or replace into ${index} values (${entry});`;
  const remove = `delete from ${index} where id = old.${fid};`;
  const hasPlace = `(${place} notnull and not ST_IsEmpty(${place}))`;
  const hasNone = `(${place} isnull or ST_IsEmpty(${place}))`;
  const same = `old.${fid} = new.${fid}`;
  const other = `old.${fid} != new.${fid}`;
  return `
  create trigger ${index}_insert after insert on ${table} when ${hasPlace} begin ${put} end;
  create trigger ${index}_update1 after update of ${geometry} on ${table} when ${same} and ${hasPlace} begin ${put} end;
  create trigger ${index}_update2 after update of ${geometry} on ${table} when ${same} and ${hasNone} begin ${remove} end;
  create trigger ${index}_update3 after update on ${table} when ${other} and ${hasPlace} begin ${remove} ${put} end;
  create trigger ${index}_update4 after update on ${table} when ${other} and ${hasNone}
    begin delete from ${index} where id in (old.${fid}, new.${fid}); end;
  create trigger ${index}_delete after delete on ${table} when old.${geometry} notnull begin ${remove} end;`;
}

/** West, south, east, north in degrees. */
type Sides = readonly [west: number, south: number, east: number, north: number];

/** Little-endian, with a two-dimensional envelope. */
const flags = 0b0000_0011;
/** Size of the header before the WKB of a geometry. */
export const geometryHeadBytes = 8 + 4 * 8;

/** Writes the header of a geometry, with its envelope, at the start of `bytes`. */
export function writeGeometryHead(bytes: Uint8Array, [west, south, east, north]: Sides): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, geometryHeadBytes);
  bytes.set([0x47, 0x50, 0, flags]);
  view.setInt32(4, epsg, true);
  for (const [i, value] of [west, east, south, north].entries()) view.setFloat64(8 + 8 * i, value, true);
}
