import { join } from 'node:path';
import { listed, readable, readablePath } from '../../../lib/readable.ts';
import { KiB, MiB } from '../../../lib/units.ts';
import { contentsProblems, type ContentsRemedy } from '../../../messages/packages/english.ts';
import type { ArchiveMember } from './archive.ts';

/** One file of an archive, with its name there, which is displayed, but never used as a path. */
interface Member {
  readonly name: string;
}

/** Files of a shapefile that are unpacked. Indexes (.sbn, .sbx, .qix) only speed up searches. */
const shapefileExtensions = ['shp', 'shx', 'dbf', 'prj', 'cpg', 'cst', 'shp.xml'] as const;
type ShapefileExtension = (typeof shapefileExtensions)[number];

/** The layer in an archive. */
type Contents<M extends Member> =
  | { readonly kind: 'shapefile'; readonly name: string; readonly files: ReadonlyMap<ShapefileExtension, M> }
  | { readonly kind: 'geojson'; readonly name: string; readonly member: M }
  | {
      readonly kind: 'gpkg';
      readonly name: string;
      readonly member: M;
      readonly logs: ReadonlyMap<LogKind, M>;
    };

/**
 * Files that SQLite keeps beside an open database: `wal` is a log of changes, `journal` the previous contents of
 * changed pages; `shm` is an index of the first that SQLite recreates.
 */
const logKinds = ['wal', 'journal', 'shm'] as const;
export type LogKind = (typeof logKinds)[number];

/** Indexes beside a shapefile, which are not needed. */
const index = /\.(?:sbn|sbx|qix|fbn|fbx|ain|aih|atx|ixs|mxs|idm|ind)$/i;

/** Stored beside the table that was made of it. */
const spreadsheet = /\.(?:xlsx|xlsm|xls|ods|csv|tsv)$/i;

/** Longer than file systems allow. */
const maxBaseLetters = 255;
/** A dot before a name; `.` and `..` are folders. */
const hidden = /^\.+[^.]/;

/**
 * Finds the one layer among the members, at any depth and in any case; files of operating systems (`__MACOSX`, dot
 * files) and members of other kinds do not count.
 * @throws {Problem} for none, or more than one.
 */
export function findLayer<M extends Member>(all: readonly M[]): Contents<M> {
  const members = all.filter(({ name }) => !isJunk(name));
  const shapes = members.filter(({ name }) => hasExtension(name, 'shp'));
  const others = members.filter(({ name }) => hasExtension(name, 'geojson') || hasExtension(name, 'gpkg'));
  refuseTwins([...shapes, ...others]);
  const [shape, secondShape] = shapes;
  const [other, secondOther] = others;
  if (secondShape !== undefined) throw contentsProblems.several('shapefiles', namesOf(shapes));
  if (secondOther !== undefined || (shape !== undefined && other !== undefined)) {
    throw contentsProblems.several('layers', namesOf([...shapes, ...others]));
  }
  if (other !== undefined) {
    const layer = { name: baseName(other.name), member: other };
    return hasExtension(other.name, 'gpkg')
      ? { kind: 'gpkg', ...layer, logs: logsOf(other, members) }
      : { kind: 'geojson', ...layer };
  }
  if (shape === undefined)
    throw contentsProblems.noLayer(
      shownNames(namesOf(members)),
      all.length === 0,
      remedyFor(namesOf(members)),
    );
  return { kind: 'shapefile', name: baseName(withoutExtension(shape.name)), files: filesOf(shape, members) };
}

/** @throws {Problem} if two members have identical names, which is ambiguous. */
function refuseTwins(members: readonly Member[]): void {
  const seen = new Set<string>();
  for (const { name } of members) {
    if (seen.has(name)) throw contentsProblems.twins(name);
    seen.add(name);
  }
}

/** Normalizes a name for comparison: systems differ in case, and in the composition of й. */
function comparedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns the files beside a `.shp` with its base name. */
function filesOf<M extends Member>(shape: M, members: readonly M[]): ReadonlyMap<ShapefileExtension, M> {
  const stem = comparedName(withoutExtension(shape.name));
  const files = new Map<ShapefileExtension, M>();
  for (const extension of shapefileExtensions) {
    const found = members.filter(({ name }) => comparedName(name) === `${stem}.${extension}`);
    refuseTwins(found);
    if (found.length > 1)
      throw contentsProblems.several(`files named ${baseName(stem)}.${extension}`, namesOf(found));
    const [only] = found;
    if (only !== undefined) files.set(extension, only);
  }
  return files;
}

/** Returns the files beside a database with its name and a suffix of SQLite. */
function logsOf<M extends Member>(database: M, members: readonly M[]): ReadonlyMap<LogKind, M> {
  const logs = new Map<LogKind, M>();
  for (const kind of logKinds) {
    const wanted = comparedName(`${database.name}-${kind}`);
    const found = members.filter(({ name }) => comparedName(name) === wanted);
    refuseTwins(found);
    const [log] = found;
    if (log !== undefined) logs.set(kind, log);
  }
  return logs;
}

/** Names the files of an archive that are not part of its layer, its original, an index or files of an operating system. */
export function namesLeftOut<M extends Member>(all: readonly M[], contents: Contents<M>): string | undefined {
  const read = new Set(filesRead(contents));
  const others = all.filter(
    (member) =>
      !read.has(member) &&
      !isJunk(member.name) &&
      !index.test(member.name) &&
      !isOriginalOf(contents, member),
  );
  return others.length === 0 ? undefined : listed(namesOf(others).map(readablePath));
}

/** A spreadsheet beside a GeoJSON of the same name is the source from which the page has made it. */
function isOriginalOf(contents: Contents<Member>, { name }: Member): boolean {
  if (contents.kind !== 'geojson' || !spreadsheet.test(name)) return false;
  return withoutExtension(name) === withoutExtension(contents.member.name);
}

function filesRead<M extends Member>(contents: Contents<M>): Iterable<M> {
  switch (contents.kind) {
    case 'shapefile':
      return contents.files.values();
    case 'gpkg':
      return [contents.member, ...contents.logs.values()];
    default:
      return [contents.member];
  }
}

/** Returns true for files of operating systems, by a path in an archive. */
export function isJunk(name: string): boolean {
  return name.split('/').some((segment) => segment === '__MACOSX' || hidden.test(segment));
}

function hasExtension(name: string, extension: string): boolean {
  return name.toLowerCase().endsWith(`.${extension}`) && baseName(name).length > extension.length + 1;
}

function withoutExtension(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** Returns the display name of a layer, without characters that would disturb a line. */
function baseName(name: string): string {
  return readable(name.slice(name.lastIndexOf('/') + 1), maxBaseLetters);
}

function namesOf(members: readonly Member[]): readonly string[] {
  return members.map(({ name }) => name);
}

/** Maximum size of small files beside shapes and table. */
const maxBytes: ReadonlyMap<ShapefileExtension, number> = new Map([
  ['prj', MiB],
  ['cpg', KiB],
  ['cst', KiB],
  ['shp.xml', 8 * MiB],
]);

/**
 * Writes the files of a shapefile as `input.shp`, `input.dbf` and so on into the scratch folder, except oversized hints
 * on names and charset.
 * @throws {Problem}
 */
export async function unpackShapefile(
  files: ReadonlyMap<ShapefileExtension, ArchiveMember>,
  scratch: string,
): Promise<void> {
  for (const [extension, member] of files) {
    if (member.bytes <= (maxBytes.get(extension) ?? member.bytes))
      await member.unpackTo(join(scratch, `input.${extension}`));
    else if (extension === 'prj') throw contentsProblems.oversizedPrj(1);
  }
}

/** Advice for an archive by the extensions in it; the first match wins. */
const remedies: readonly (readonly [remedy: ContentsRemedy, pattern: RegExp])[] = [
  ['exportGeodatabase', /\.gdb\/|\.gdbtable$|\.mdb$/i],
  ['exportKml', /\.km[lz]$/i],
  [
    'exportModel',
    /(?:^|\/)tileset\.json$|\.(?:b3dm|i3dm|pnts|cmpt|glb|gltf|3tz|slpk|obj|fbx|dae|ifc|skp|stl)$/i,
  ],
  ['saveWorkbook', /^(?:(?:xl|word|ppt)\/|content\.xml$)/i],
  ['exportMapInfo', /\.(?:tab|mif|mid)$/i],
  ['addShp', /\.(?:shx|dbf|sbn|sbx|qix)$/i],
  ['exportDrawing', /\.(?:dxf|dwg|dgn)$/i],
  ['exportGml', /\.(?:gml|gpx|osm|pbf)$/i],
  ['exportLayer', /\.(?:fgb|parquet|geoparquet|sqlite|mbtiles|pmtiles|e00)$/i],
  ['uploadRaster', /\.tiff?$/i],
  ['convertRaster', /\.(?:img|jp2|vrt|asc|hgt|nc|hdf|h5|grd|bil|ecw|sid|grib2?)$/i],
  ['unpackInner', /\.(?:zip|rar|7z|tar|gz|tgz)$/i],
  ['renameGeoJson', /\.(?:json|geojsonl|topojson)$/i],
  ['saveTable', /\.(?:csv|tsv|xlsx?|ods)$/i],
  ['sendStyle', /\.(?:sld|qml|qlr|qgs|qgz|lyr|lyrx|mxd)$/i],
  ['exportPictures', /\.(?:jpe?g|png|bmp|gif|webp|pdf)$/i],
];

/** Returns advice for an archive without a readable layer. */
function remedyFor(names: readonly string[]): ContentsRemedy {
  const found = remedies.find(([, pattern]) => names.some((name) => pattern.test(name)));
  return found?.[0] ?? 'packShapefile';
}

/** Names the contents of an archive; the many files of a geodatabase count as its folder. */
function shownNames(names: readonly string[]): readonly string[] {
  const shown = names.map((name) => /^(.*\.gdb)\/[^/]*$/is.exec(name)?.[1] ?? name);
  return [...new Set(shown)];
}
