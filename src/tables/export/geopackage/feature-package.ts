import type { DatabaseSync } from 'node:sqlite';
import type { Feature } from '../../../geo/flatgeobuf/feature.ts';
import type { FeatureFile, FeatureFiles } from '../../../geo/flatgeobuf/open-file.ts';
import { readFeatures } from '../../../geo/flatgeobuf/read-features.ts';
import { boxAround, geometryWkb } from '../../../geo/flatgeobuf/wkb.ts';
import { geometryTypes } from '../../../geo/flatgeobuf/layout.ts';
import {
  epsg,
  geometryHeadBytes,
  indexTables,
  indexTriggers,
  packageHeader,
  packageTables,
  writeGeometryHead,
} from '../../../geo/geopackage/layout.ts';
import type { Problem } from '../../../lib/errors.ts';
import { GiB, MiB } from '../../../lib/units.ts';
import { geopackageOutProblems } from '../../../messages/standards/english.ts';
import { cellOf, declarationOf, type PackageColumns } from './columns.ts';
import type { NamelessFile } from '../../../spool/nameless.ts';
import { DatabaseTooLarge, limitOf, openNamelessDatabase } from './nameless-database.ts';

/** Maximum number of columns of a SQLite table. */
const mostColumns = 1998;
/** Larger sources are refused: clients would wait for minutes. */
const [maxFeatures, maxSourceBytes] = [1_000_000, 512 * MiB];
/** A larger file is abandoned. */
const maxPackageBytes = GiB;
const featuresAtOnce = 1000;
const table = 'features';

/** Features of a dataset, and their names in a GeoPackage. */
export interface PackageSource {
  readonly files: FeatureFiles;
  readonly file: FeatureFile;
  readonly columns: PackageColumns;
}

/** Metadata and style of a GeoPackage. */
export interface PackageFacts {
  readonly name: string;
  readonly description: string | null;
  /** Written into the file, so that equal content gives equal bytes. */
  readonly changedAt: Date;
  /** Style of the layer for QGIS, and as it was uploaded. */
  readonly style: { readonly qml: string; readonly sld: string | null };
}

/** @throws {Problem} `invalid` if a vector is too large for a GeoPackage that is written while its client waits. */
export function refuseLargePackage({ columns, features, sizeBytes }: FeatureFile): void {
  if (columns.length > mostColumns) throw geopackageOutProblems.tooManyColumns(columns.length, mostColumns);
  if (features > maxFeatures || sizeBytes > maxSourceBytes) throw tooLarge();
}

const tooLarge = (): Problem => geopackageOutProblems.tooLarge(maxFeatures, maxSourceBytes / MiB);

/**
 * Writes the features of a FlatGeobuf as a GeoPackage: one layer with its spatial index and its style. Uses a few MiB
 * of memory and yields to other work between features.
 * @param folder for the unnamed file
 * @param signal aborts the writing
 * @throws {Problem} `invalid` if the file becomes too large, `unavailable` if the disk is full.
 */
export async function makeFeaturePackage(
  source: PackageSource,
  facts: PackageFacts,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<NamelessFile> {
  try {
    using made = await openNamelessDatabase({
      folder,
      expectedBytes: 2 * source.file.sizeBytes,
      maxBytes: maxPackageBytes,
      begin: `${packageHeader} begin; ${packageTables} ${layerTables(source)}`,
    });
    const { database } = made;
    const box = await writeFeatures(database, source, signal);
    writeFacts(database, source, { ...facts, box });
    return made.finish();
  } catch (error) {
    const limit = limitOf(error, folder);
    if (limit instanceof DatabaseTooLarge) throw tooLarge().because(error);
    throw limit === undefined ? error : geopackageOutProblems.noRoom().because(error);
  }
}

const kindNames = new Map<number, string>(
  Object.entries(geometryTypes).map(([name, number]) => [number, name.toUpperCase()]),
);

/** Geometry type of the layer, as the standard names it. */
const kindOf = ({ geometryType }: FeatureFile): string =>
  geometryType === geometryTypes.Unknown ? 'GEOMETRY' : (kindNames.get(geometryType) ?? 'GEOMETRY');

function layerTables({ file, columns: { columns, fid, geometry } }: PackageSource): string {
  const declared = columns.map((column) => `, ${declarationOf(column)}`).join('');
  return `create table ${table} (${fid} INTEGER primary key autoincrement not null, ${geometry} ${kindOf(file)}${declared});
    ${indexTables({ table, fid, geometry })}
    create table layer_styles (id INTEGER primary key autoincrement not null, f_table_catalog TEXT(256), f_table_schema TEXT(256),
      f_table_name TEXT(256), f_geometry_column TEXT(256), styleName TEXT(30), styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN,
      description TEXT, owner TEXT(30), ui TEXT(30), update_time DATETIME default (strftime('%Y-%m-%dT%H:%M:%fZ','now')));`;
}

type Box = readonly [west: number, south: number, east: number, north: number];

/** Writes the rows of the layer and of its index. @returns the bounding box of all features */
async function writeFeatures(
  database: DatabaseSync,
  { files, file, columns: { columns, geometry: place } }: PackageSource,
  signal: AbortSignal,
): Promise<Box | undefined> {
  const addFeature = database.prepare(`insert into ${table} values (?, ?${', ?'.repeat(columns.length)})`);
  const addPlace = database.prepare(`insert into rtree_${table}_${place} values (?, ?, ?, ?, ?)`);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = ({ geometry, values }: Feature, index: number): boolean => {
    const box = geometry && boxAround(geometry);
    const fid = index + 1;
    const cells = columns.map(({ type }, at) => cellOf(type, values.get(at)));
    addFeature.run(fid, geometry && box ? encode(geometryWkb(geometry), box) : null, ...cells);
    if (box === undefined) return true;
    addPlace.run(fid, box[0], box[2], box[1], box[3]);
    [west, south] = [Math.min(west, box[0]), Math.min(south, box[1])];
    [east, north] = [Math.max(east, box[2]), Math.max(north, box[3])];
    return true;
  };
  for (let from: number | undefined = file.features > 0 ? 0 : undefined; from !== undefined;) {
    signal.throwIfAborted();
    const { largeFeature } = geopackageOutProblems;
    from = await readFeatures(files, file, { from, limit: featuresAtOnce, tooLarge: largeFeature, take });
  }
  return west <= east ? [west, south, east, north] : undefined;
}

function encode(wkb: Uint8Array, box: Box): Uint8Array {
  const bytes = Buffer.allocUnsafe(geometryHeadBytes + wkb.length);
  writeGeometryHead(bytes, box);
  bytes.set(wkb, geometryHeadBytes);
  return bytes;
}

/** Writes the metadata and the style of the layer. */
function writeFacts(
  database: DatabaseSync,
  { file, columns: { fid, geometry } }: PackageSource,
  { name, description, changedAt, style, box }: PackageFacts & { readonly box: Box | undefined },
): void {
  const changed = changedAt.toISOString();
  const [west, south, east, north] = box ?? [null, null, null, null];
  const addContents = database.prepare('insert into gpkg_contents values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  addContents.run(table, 'features', name, description, changed, west, south, east, north, epsg);
  // No identifier: a dataset may have the same name.
  addContents.run('layer_styles', 'attributes', null, '', changed, null, null, null, null, null);
  database
    .prepare('insert into gpkg_geometry_columns values (?, ?, ?, ?, ?, 0)')
    .run(table, geometry, kindOf(file), epsg, file.hasHeights ? 1 : 0);
  const addStyle = database.prepare(
    `insert into layer_styles values (1, '', '', ?, ?, ?, ?, ?, 1, '', '', null, ?)`,
  );
  addStyle.run(table, geometry, 'Steppe', style.qml, style.sld, changed);
  database.exec(`${indexTriggers({ table, fid, geometry })} commit;`);
}
