import { Problem } from '../../../common/errors.ts';
import { listed, readable, readablePath } from '../../../common/readable.ts';

/** One file of an archive, by the name that it has there; the name is shown, never used as a path. */
export interface Member {
  readonly name: string;
}

/** What of a shapefile is taken out. Indexes (.sbn, .sbx, .qix) are of use to searches only. */
const shapefileParts = ['shp', 'shx', 'dbf', 'prj', 'cpg', 'cst', 'shp.xml'] as const;
export type ShapefilePart = (typeof shapefileParts)[number];

/** What an archive holds: one layer of one kind. */
export type Contents<M extends Member> =
  | { readonly kind: 'shapefile'; readonly name: string; readonly parts: ReadonlyMap<ShapefilePart, M> }
  | { readonly kind: 'geojson' | 'gpkg'; readonly name: string; readonly member: M };

/** Indexes that programs keep beside a shapefile: whoever packed them does not miss them. */
const index = /\.(?:sbn|sbx|qix|fbn|fbx|ain|aih|atx|ixs|mxs|idm|ind)$/i;

/** Longer than file systems allow. */
const maxBaseLetters = 255;
/** A dot before a name; `.` and `../..` are folders. */
const hidden = /^\.+[^.]/;

/**
 * Finds the one layer among the members, at any depth and in any case; what systems leave behind (`__MACOSX`, dot
 * files) and members of other kinds do not count.
 * @throws {Problem} when there is none, or more than one.
 */
export function findLayer<M extends Member>(all: readonly M[]): Contents<M> {
  const members = all.filter(({ name }) => !isJunk(name));
  const shapes = members.filter(({ name }) => hasExtension(name, 'shp'));
  const others = members.filter(({ name }) => hasExtension(name, 'geojson') || hasExtension(name, 'gpkg'));
  refuseTwins([...shapes, ...others]);
  const [shape, secondShape] = shapes;
  const [other, secondOther] = others;
  if (secondShape !== undefined) throw several('shapefiles', shapes);
  if (secondOther !== undefined || (shape !== undefined && other !== undefined)) {
    throw several('layers', [...shapes, ...others]);
  }
  if (other !== undefined) {
    const kind = hasExtension(other.name, 'gpkg') ? 'gpkg' : 'geojson';
    return { kind, name: baseName(other.name), member: other };
  }
  if (shape === undefined) throw nothingIn(members, all);
  return { kind: 'shapefile', name: baseName(withoutExtension(shape.name)), parts: partsOf(shape, members) };
}

/** @throws {Problem} when two members have the same name to the letter: nobody can tell which of them is meant. */
function refuseTwins(members: readonly Member[]): void {
  const seen = new Set<string>();
  for (const { name } of members) {
    if (seen.has(name)) throw twins(name);
    seen.add(name);
  }
}

/** The files beside a `.shp` that have its name. */
function partsOf<M extends Member>(shape: M, members: readonly M[]): ReadonlyMap<ShapefilePart, M> {
  const stem = withoutExtension(shape.name).toLowerCase();
  const parts = new Map<ShapefilePart, M>();
  for (const part of shapefileParts) {
    const found = members.filter(({ name }) => name.toLowerCase() === `${stem}.${part}`);
    refuseTwins(found);
    if (found.length > 1) throw several(`files named ${baseName(stem)}.${part}`, found);
    const [only] = found;
    if (only !== undefined) parts.set(part, only);
  }
  return parts;
}

/** Of an archive, the names of the files that are neither part of its layer, nor an index, nor left behind by a system. */
export function namesLeftOut<M extends Member>(all: readonly M[], contents: Contents<M>): string | undefined {
  const read = new Set(contents.kind === 'shapefile' ? contents.parts.values() : [contents.member]);
  const others = all.filter(
    (member) => !read.has(member) && !isJunk(member.name) && !index.test(member.name),
  );
  return others.length === 0 ? undefined : namesOf(others);
}

function isJunk(name: string): boolean {
  return name.split('/').some((segment) => segment === '__MACOSX' || hidden.test(segment));
}

function hasExtension(name: string, extension: string): boolean {
  return name.toLowerCase().endsWith(`.${extension}`) && baseName(name).length > extension.length + 1;
}

function withoutExtension(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** As names of layers are shown; what could disturb a line is left out of it. */
function baseName(name: string): string {
  return readable(name.slice(name.lastIndexOf('/') + 1), maxBaseLetters);
}

function namesOf(members: readonly Member[]): string {
  return listed(members.map(({ name }) => readablePath(name)));
}

function twins(name: string): Problem {
  return new Problem(
    'invalid',
    `The archive holds two files with the same name: ${readablePath(name)}. Pack it anew with one of them, and upload it again.`,
  );
}

function several(what: string, members: readonly Member[]): Problem {
  return new Problem(
    'invalid',
    `The archive holds several ${what}: ${namesOf(members)}. Upload each layer in a .zip of its own.`,
  );
}

function nothingIn(members: readonly Member[], all: readonly Member[]): Problem {
  const none = all.length === 0 ? 'The archive holds no files' : 'The archive holds only hidden files';
  const what =
    members.length === 0
      ? none
      : `The archive holds no .shp, .geojson or .gpkg file, only ${namesOf(members)}`;
  return new Problem('invalid', `${what}. ${remedyFor(members)}`);
}

function remedyFor(members: readonly Member[]): string {
  if (members.some(({ name }) => /\.(?:zip|rar|7z)$/i.test(name)))
    return 'Unpack the archive inside it and upload that.';
  if (members.some(({ name }) => /\.tiff?$/i.test(name)))
    return 'Upload the .tif file itself, as a dataset of the file type raster.';
  return 'Pack all files of one shapefile (.shp, .shx, .dbf, .prj) into the .zip and upload it again.';
}
