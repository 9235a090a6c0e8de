import { Problem } from '../../errors.ts';

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

const maxNamesShown = 5;

/**
 * Finds the one layer among the members, at any depth and in any case; what systems leave behind (`__MACOSX`, dot
 * files) and members of other kinds do not count.
 * @throws {Problem} when there is none, or more than one.
 */
export function findLayer<M extends Member>(all: readonly M[]): Contents<M> {
  const members = all.filter(({ name }) => !isJunk(name));
  const shapes = members.filter(({ name }) => hasExtension(name, 'shp'));
  const others = members.filter(({ name }) => hasExtension(name, 'geojson') || hasExtension(name, 'gpkg'));
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
  if (shape === undefined) throw nothingIn(members);
  return { kind: 'shapefile', name: baseName(withoutExtension(shape.name)), parts: partsOf(shape, members) };
}

/** The files beside a `.shp` that have its name. */
function partsOf<M extends Member>(shape: M, members: readonly M[]): ReadonlyMap<ShapefilePart, M> {
  const stem = withoutExtension(shape.name).toLowerCase();
  const parts = new Map<ShapefilePart, M>();
  for (const part of shapefileParts) {
    const found = members.filter(({ name }) => name.toLowerCase() === `${stem}.${part}`);
    if (found.length > 1) throw several(`files named ${baseName(stem)}.${part}`, found);
    const [only] = found;
    if (only !== undefined) parts.set(part, only);
  }
  return parts;
}

function isJunk(name: string): boolean {
  return name.split('/').some((segment) => segment === '__MACOSX' || segment.startsWith('.'));
}

function hasExtension(name: string, extension: string): boolean {
  return name.toLowerCase().endsWith(`.${extension}`) && baseName(name).length > extension.length + 1;
}

function withoutExtension(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function listed(members: readonly Member[]): string {
  const names = members.slice(0, maxNamesShown).map(({ name }) => name.slice(-120));
  const more = members.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function several(what: string, members: readonly Member[]): Problem {
  return new Problem(
    'invalid',
    `The archive holds several ${what}: ${listed(members)}. Upload each layer in a .zip of its own.`,
  );
}

function nothingIn(members: readonly Member[]): Problem {
  const what =
    members.length === 0
      ? 'The archive holds no files'
      : `The archive holds no .shp, .geojson or .gpkg file, only ${listed(members)}`;
  const hint = members.some(({ name }) => /\.(?:zip|rar|7z)$/i.test(name))
    ? 'Unpack the archive inside it and upload that.'
    : 'Pack all files of one shapefile (.shp, .shx, .dbf, .prj) into the .zip and upload it again.';
  return new Problem('invalid', `${what}. ${hint}`);
}
