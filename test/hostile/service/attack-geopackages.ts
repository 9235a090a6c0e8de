import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listed, pointBlob, registered, writeGeoPackage } from '../../support/geo/geopackages.ts';
import {
  attacksBy,
  rasterPlaces,
  systemWithGrid,
  vectorPlaces,
  vectorVrt,
  type Attack,
  type Targets,
} from './attack.ts';

/**
 * GeoPackages. Those that become ready contain the point at 70° E, 50° N.
 * @param folder for writing them
 */
export function attackGeoPackages(targets: Targets, folder: string): readonly Attack[] {
  const { canaryCsv, storedTable, urls } = targets;
  const attack = (
    name: string,
    sql: string,
    end: Attack['end'],
    fileType: Attack['fileType'] = 'vector',
  ): Attack => attacksBy('GeoPackage', fileType, 'a.gpkg')(name, made(folder, sql), end);
  const calls = [
    `load_extension('${canaryCsv}')`,
    `readfile('${storedTable}')`,
    `ogr_datasource_load_layers('/vsicurl/${urls[0]}/a.csv')`,
    `ogr_geocode('canary', 'geometry', 'SERVICE=${urls[0]}')`,
    `gdal_get_pixel_value('${targets.storedRaster}', 1, 'pixel', 0, 0)`,
    `BlobToFile(name, '${targets.program}')`,
  ];
  const modules = [
    `VirtualOGR('${canaryCsv}')`,
    `VirtualShape('${storedTable}', 'utf-8', 4326)`,
    `csv(filename='${canaryCsv}')`,
  ];
  return [
    attack('views that call functions', calls.map((call, index) => viewOf(index, call)).join(''), 'failed'),
    attack(
      'a view of a table that calls a function',
      viewOf(0, calls[1] ?? ''),
      'failed',
      'vector_with_kato',
    ),
    ...modules.map((module, index) => attack(`a virtual table, ${index}`, virtualTable(module), 'failed')),
    attack('triggers that would attach and write', triggers(targets), 'ready'),
    attack('a generated column that calls a function', generated(canaryCsv), 'failed', 'vector_with_kato'),
    attack('a grid elsewhere in its reference system', systems(canaryCsv), 'failed'),
    attack('a reference system in the network', systems(`${urls[0]}/a.gsb`), 'failed'),
    attack('styles and metadata that lead elsewhere', besides(targets), 'ready'),
    attack('tiles and coverages elsewhere', tiles(targets), 'ready'),
  ];
}

function made(folder: string, sql: string): Buffer<ArrayBuffer> {
  const path = writeGeoPackage(join(folder, `${randomUUID()}.gpkg`), {
    geometries: [pointBlob(70, 50)],
    sql,
  });
  return Buffer.from(readFileSync(path));
}

function viewOf(index: number, call: string): string {
  const name = `spy${index}`;
  const sql = `CREATE VIEW ${name} AS SELECT fid, geom, ${call} AS told FROM places`;
  return `${listed('view', name, sql)} ${registered(name)}`;
}

function virtualTable(module: string): string {
  const sql = `CREATE VIRTUAL TABLE elsewhere USING ${module}`;
  return `${listed('table', 'elsewhere', sql)} ${registered('elsewhere')}`;
}

function generated(path: string): string {
  const sql = `CREATE TABLE told (fid integer primary key, secret text generated always as (readfile('${path}')) virtual)`;
  return `create table told (fid integer primary key); insert into told values (1); ${registered('told')}
    pragma writable_schema = on; update sqlite_master set sql = '${sql.replaceAll("'", "''")}' where name = 'told';
    pragma writable_schema = off;`;
}

function triggers({ canaryCsv }: Targets): string {
  const events = ['insert', 'update', 'delete'];
  return events
    .flatMap((event) =>
      ['places', 'gpkg_contents', 'gpkg_geometry_columns', 'gpkg_extensions'].map(
        (table) => `create trigger on_${event}_${table} after ${event} on ${table} begin
          insert into places (name) values (readfile('${canaryCsv}'));
          select writefile('${canaryCsv}', 'overwritten'); end;`,
      ),
    )
    .join('');
}

function systems(place: string): string {
  const definition = systemWithGrid(place).replaceAll("'", "''");
  return `insert into gpkg_spatial_ref_sys values ('own', 990001, 'NONE', 990001, '${definition}', null);
    update gpkg_contents set srs_id = 990001; update gpkg_geometry_columns set srs_id = 990001;`;
}

function besides(targets: Targets): string {
  const { canaryCsv, urls } = targets;
  const xml = `<!DOCTYPE q [<!ENTITY a SYSTEM "file://${canaryCsv}">]><qgis>&a;${vectorVrt(vectorPlaces(targets))}</qgis>`;
  const text = xml.replaceAll("'", "''");
  return `create table layer_styles (id integer primary key, f_table_name text, stylename text, styleqml text, stylesld text);
    insert into layer_styles values (1, 'places', 'a', '${text}', '${text}');
    create table gpkg_metadata (id integer primary key, md_scope text, md_standard_uri text, mime_type text, metadata text);
    insert into gpkg_metadata values (1, 'dataset', '${urls[0]}/md', 'text/xml', '${text}');
    create table gpkg_metadata_reference (reference_scope text, table_name text, column_name text, row_id_value integer, timestamp datetime, md_file_id integer, md_parent_id integer);
    insert into gpkg_metadata_reference values ('geopackage', null, null, null, '2026-01-01T00:00:00.000Z', 1, null);
    insert into gpkg_extensions values ('places', null, '${urls[0]}', '${canaryCsv}', 'read-write'),
      (null, null, 'gpkg_metadata', '${urls[0]}/md', 'read-write');`;
}

function tiles(targets: Targets): string {
  const place = rasterPlaces(targets)[0];
  return `create table pictures (id integer primary key, zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    create table gpkg_tile_matrix_set (table_name text, srs_id integer, min_x double, min_y double, max_x double, max_y double);
    create table gpkg_tile_matrix (table_name text, zoom_level integer, matrix_width integer, matrix_height integer, tile_width integer, tile_height integer, pixel_x_size double, pixel_y_size double);
    insert into gpkg_contents (table_name, data_type, identifier, srs_id) values ('pictures', 'tiles', '${place}', 4326);
    insert into gpkg_tile_matrix_set values ('pictures', 4326, 70, 49, 71, 50);
    insert into gpkg_tile_matrix values ('pictures', 0, 1, 1, 256, 256, 0.00390625, 0.00390625);
    insert into pictures values (1, 0, 0, 0, cast('${place}' as blob));`;
}
