import { chmodSync, closeSync, copyFileSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import gdal, { type Dataset, type Layer } from 'gdal-async';
import {
  geopackageProblems,
  geopackageRemedies,
  geopackageWarnings,
} from '../../../messages/packages/english.ts';
import { checkGeoPackage, lowerAscii } from './check.ts';
import type { FindingsCollector } from '../../gather-findings.ts';
import { lastError, quietly } from '../../gdal/last-error.ts';
import { describeTable, withRegistrations } from './layer-table.ts';
import { openReadOnly, quotedName } from './sqlite-file.ts';
import type { StoredCell } from '../geojson/cell-json.ts';
import { readRows, type Row } from './read-rows.ts';
import type { SourceCrs, VectorFile } from '../features/geometry.ts';
import { kindName } from '../ogr/wkb.ts';

/** Offset of the journal version in an SQLite file; 2 is a write-ahead log, which would be searched beside the file. */
const journalVersionsAt = 18;
const writeAheadLog = 2;
/** Tables of QGIS styles and projects, which contain no user data. */
const tablesOfQgis: readonly string[] = ['layer_styles', 'qgis_projects'];

/**
 * Opens the first layer of a GeoPackage that has features. Never changes the file; necessary changes are made in a copy
 * in the scratch folder.
 * @throws {Problem}
 */
export function openGeoPackage(path: string, scratch: string, findings: FindingsCollector): VectorFile {
  const quietPath = withoutLog(path, scratch);
  const unread = checkGeoPackage(quietPath);
  if (quietPath !== path && !hasContents(quietPath)) throw geopackageProblems.allInLog();
  const listedPath = withRegistrations(quietPath, () =>
    writableCopy(quietPath, join(scratch, 'listed.gpkg')),
  );
  const dataset = openDataset(listedPath, scratch);
  const { layers, views } = layersOf(dataset, unread);
  if (layers.length === 0 && dataset.bands.count() > 0) throw geopackageProblems.onlyRasters();
  if (layers.length === 0 && views.length > 0) throw geopackageProblems.onlyViews(views[0] ?? '');
  const layer = layers.find(hasFeatures) ?? layers[0];
  const leftOut = layers.filter((other) => other !== layer).map(({ name }) => name);
  if (layer !== undefined && leftOut.length + views.length > 0)
    findings.warn('layers_left_out', geopackageWarnings.layersLeftOut(layer.name, leftOut, views));
  const table = layer && tableOf(listedPath, layer);
  if (table !== undefined && table.leftOut.length > 0)
    findings.warn('columns_left_out', geopackageWarnings.geometryLeftOut(table.leftOut));
  return {
    source: {
      driver: 'GPKG',
      layer: layer?.name ?? null,
      layers: [
        ...layers.map((each) => ({
          name: each.name,
          features: countOf(each),
          geometry_types: each.geomType === gdal.wkbNone ? [] : [kindName(each.geomType)],
        })),
        ...views.map((name) => ({ name, features: null, geometry_types: [] })),
      ],
      encoding: 'UTF-8',
      encoding_from: 'format',
    },
    crs: crsOf(layer),
    columns: table?.columns.map(({ name }) => name) ?? [],
    *features({ geometry }) {
      if (table === undefined) return;
      yield* readRows(listedPath, table, {
        withGeometry: geometry,
        rowsByGdal: (columns) => rowsByGdal(dataset.description, table.name, columns),
      });
    },
  };
}

function tableOf(path: string, layer: Layer) {
  using database = openReadOnly(path);
  const geometry = layer.geomType === gdal.wkbNone ? undefined : layer.geomColumn;
  return describeTable(database, {
    name: layer.name,
    geometry,
    key: layer.fidColumn,
    fields: layer.fields.getNames(),
  });
}

/** Returns the readable layers of a file, and the names of its unreadable views. */
function layersOf(dataset: Dataset, unread: ReadonlySet<string>) {
  const all = [...dataset.layers];
  // For several geometry columns, GDAL appends the name of one to that of the table.
  const isUnread = ({ name }: Layer) =>
    [name, name.replace(/ \([^(]*\)$/, '')].some((each) => unread.has(lowerAscii(each)));
  const layers = all.filter((layer) => !isUnread(layer));
  // The binding crashes if GDAL reads the columns only with the first feature and warns about one of them.
  for (const layer of layers) quietly(() => layer.fields.count());
  return {
    layers: layers.filter(({ name }) => !tablesOfQgis.includes(name) || layers.length === 1),
    views: all.filter(isUnread).map(({ name }) => name),
  };
}

function openDataset(path: string, scratch: string): Dataset {
  const dataset = quietly(() => gdal.open(path, 'r', ['GPKG']));
  if (dataset !== undefined) return dataset;
  const failure = lastError();
  // Without a failure, it has no layers, or lacks the table of geometry columns, which GDAL requires in any case.
  const completed = failure === undefined ? completeCopy(path, scratch) : undefined;
  if (completed !== undefined) return completed;
  throw geopackageProblems.unreadable().because(failure);
}

/** Opens a copy to which a table of geometry columns was added. */
function completeCopy(path: string, scratch: string): Dataset | undefined {
  const copy = writableCopy(path, join(scratch, 'completed.gpkg'));
  const open = (mode: 'r' | 'r+') => quietly(() => gdal.open(copy, mode, ['GPKG']));
  const incomplete = open('r+');
  if (incomplete === undefined) return undefined;
  quietly(() =>
    incomplete.executeSQL(`create table if not exists gpkg_geometry_columns (
      table_name text not null, column_name text not null, geometry_type_name text not null,
      srs_id integer not null, z tinyint not null, m tinyint not null)`),
  );
  incomplete.close();
  // GDAL opens a GeoPackage without layers in update mode only.
  return open('r') ?? open('r+');
}

/** Returns the file, or a copy without reference to a write-ahead log. */
function withoutLog(path: string, scratch: string): string {
  const versions = Buffer.alloc(2);
  const original = openSync(path, 'r');
  try {
    readSync(original, versions, 0, 2, journalVersionsAt);
  } finally {
    closeSync(original);
  }
  if (!versions.includes(writeAheadLog)) return path;
  const copy = writableCopy(path, join(scratch, 'without-log.gpkg'));
  const patched = openSync(copy, 'r+');
  try {
    writeSync(patched, Uint8Array.of(1, 1), 0, 2, journalVersionsAt);
  } finally {
    closeSync(patched);
  }
  return copy;
}

/** Returns whether the file has the table of contents, which every writer creates first. */
function hasContents(path: string): boolean {
  using database = openReadOnly(path);
  const contents = database.prepare(
    "select 1 from sqlite_schema where name = 'gpkg_contents' collate nocase",
  );
  return contents.get() !== undefined;
}

/** A copy inherits the mode of its original, which may be read-only. */
function writableCopy(path: string, copy: string): string {
  copyFileSync(path, copy);
  chmodSync(copy, 0o600);
  return copy;
}

/** Reads a feature, because stored counts may be wrong. */
function hasFeatures(layer: Layer): boolean {
  const first: unknown = quietly(() => layer.features.first());
  // An unreadable feature counts as well: reading it reports the fault.
  return (first !== null && first !== undefined) || lastError() !== undefined;
}

function countOf(layer: Layer): number | null {
  const count = quietly(() => layer.features.count());
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function crsOf(layer: Layer | undefined): SourceCrs {
  const srs = layer?.srs ?? null;
  const wkt = srs?.toWKT();
  const isKnown = srs !== null && (srs.isGeographic() || srs.isProjected());
  if (wkt !== undefined && isKnown && !/^\w+\["Undefined /.test(wkt)) return { kind: 'wkt', wkt };
  return { kind: 'none', remedy: geopackageRemedies.noReferenceSystem, isStated: false };
}

/**
 * Reads the rows of a view that calls functions of GDAL. Passes each cell through GDAL as text with its storage class,
 * so that GDAL does not convert it.
 */
function* rowsByGdal(path: string, view: string, columns: readonly string[]): Generator<Row, void, void> {
  const dataset = gdal.open(path, 'r', ['GPKG']);
  try {
    const cells = columns.map((name, index) => {
      const column = quotedName(name);
      return `case typeof(${column}) when 'text' then 't' || hex(${column}) when 'blob' then 'b' || hex(${column})
        when 'integer' then 'i' || ${column} when 'real' then 'r' || printf('%!.17g', ${column}) else 'n' end as c${index}`;
    });
    const sql = `select ${cells.join()} from ${quotedName(view)}`;
    const layer = quietly(() => dataset.executeSQL(sql));
    if (layer === undefined) throw new Error(lastError() ?? 'GDAL cannot read the view');
    for (let feature = layer.features.first(); feature !== null; feature = layer.features.next()) {
      const texts = feature.fields.toArray();
      feature.destroy();
      yield texts.map(cellOf);
    }
  } finally {
    dataset.close();
  }
}

function cellOf(text: unknown): StoredCell {
  const [kind, value] = [String(text).charAt(0), String(text).slice(1)];
  switch (kind) {
    case 't':
      return Buffer.from(value, 'hex').toString();
    case 'b':
      return Buffer.from(value, 'hex');
    case 'i':
      return BigInt(value);
    case 'r':
      return Number(value.replace('Inf', 'Infinity'));
    default:
      return null;
  }
}
