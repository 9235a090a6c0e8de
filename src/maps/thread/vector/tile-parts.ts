import type GeoJSONVT from 'geojson-vt';

/** Units per side of a tile. */
export const extent = 4096;

/** A feature as the library cuts it for a tile. */
export type RawFeature = NonNullable<ReturnType<GeoJSONVT['getTileRaw']>>['features'][number];

type Coordinates = Int16Array | Int32Array;

/** The smallest removable part of a tile: a polygon with its holes, a line, or points. */
export interface TilePart {
  /** Index of the feature in its source. */
  readonly feature: number;
  readonly kind: 'points' | 'line' | 'polygon';
  /** Flat x and y in units of the tile; a polygon has its outer ring first, then its holes; rings omit the closing point. */
  readonly paths: readonly Coordinates[];
  readonly vertices: number;
  /** Area of a polygon, or of the box around a line, in square units. */
  readonly size: number;
}

/**
 * Splits the features of a tile into parts, and removes those without extent after rounding. Rings have an area and at
 * least three corners, lines at least two, as the format requires.
 */
export function partsOf(features: readonly RawFeature[]): readonly TilePart[] {
  return features.flatMap((feature) => {
    const id = Number(feature.id);
    switch (feature.type) {
      case 4:
        return [pointsOf(id, Int32Array.of(feature.x, feature.y))];
      case 1:
        return feature.geometry.length === 0 ? [] : [pointsOf(id, feature.geometry)];
      case 2:
        return feature.geometry.flatMap((path) => lineOf(id, path) ?? []);
      default:
        return polygonsOf(id, feature.geometry);
    }
  });
}

function pointsOf(feature: number, points: Coordinates): TilePart {
  return { feature, kind: 'points', paths: [points], vertices: points.length / 2, size: 0 };
}

function lineOf(feature: number, path: Coordinates): TilePart | undefined {
  const line = withoutRepetitions(path);
  if (line.length < 4) return undefined;
  const [west, south, east, north] = boxOf(line);
  const size = (east - west) ** 2 + (north - south) ** 2;
  return { feature, kind: 'line', paths: [line], vertices: line.length / 2, size };
}

/** Outer rings run clockwise on the screen and have a positive area; holes follow their outer ring. */
function polygonsOf(feature: number, rings: readonly Coordinates[]): readonly TilePart[] {
  const polygons: { readonly outer: Coordinates; readonly size: number; readonly holes: Coordinates[] }[] =
    [];
  for (const closed of rings) {
    const ring = withoutClosing(withoutRepetitions(closed));
    const area = areaOf(ring);
    const last = polygons.at(-1);
    if (area > 0) polygons.push({ outer: ring, size: area, holes: [] });
    // A ring whose own outer ring has vanished must not become a hole of another one.
    else if (area < 0 && last !== undefined && isWithin(ring, last.outer)) last.holes.push(ring);
  }
  return polygons.map(({ outer, size, holes }) => {
    const paths = [outer, ...holes];
    return { feature, kind: 'polygon', paths, size, vertices: verticesOf(paths) };
  });
}

/** Counts the vertices of some paths. */
function verticesOf(paths: readonly Coordinates[]): number {
  return paths.reduce((sum, { length }) => sum + length / 2, 0);
}

/** Returns the signed area by the shoelace formula: positive for a clockwise ring with y downwards. */
function areaOf(ring: Coordinates): number {
  let doubled = 0;
  for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
    doubled += (ring[j] ?? 0) * (ring[i + 1] ?? 0) - (ring[i] ?? 0) * (ring[j + 1] ?? 0);
  }
  return doubled / 2;
}

function isWithin(hole: Coordinates, outer: Coordinates): boolean {
  const [west, south, east, north] = boxOf(outer);
  const [x = 0, y = 0] = hole;
  return x >= west && x <= east && y >= south && y <= north;
}

function boxOf(path: Coordinates): readonly [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < path.length; i += 2) {
    const [x, y] = [path[i] ?? 0, path[i + 1] ?? 0];
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

/** Most paths have no repetitions and are not copied. */
function withoutRepetitions(path: Coordinates): Coordinates {
  const isRepeated = (i: number) => i > 0 && path[i] === path[i - 2] && path[i + 1] === path[i - 1];
  let i = 0;
  while (i < path.length && !isRepeated(i)) i += 2;
  return i === path.length ? path : path.filter((_, index) => !isRepeated(index - (index % 2)));
}

function withoutClosing(ring: Coordinates): Coordinates {
  const isClosed = ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1);
  return isClosed ? ring.subarray(0, -2) : ring;
}

/**
 * Removes parts until at most `maxVertices` remain: the smallest areas and lines, and all points except every n-th.
 * Points keep their share of the vertices. A part that alone exceeds the limit loses vertices.
 */
export function thinParts(parts: readonly TilePart[], maxVertices: number): readonly TilePart[] {
  const all = countVertices(parts);
  if (all <= maxVertices) return parts;
  const shapes = parts.filter(({ kind }) => kind !== 'points');
  const shapeVertices = countVertices(shapes);
  const shown = largestOf(shapes, Math.floor((maxVertices * shapeVertices) / all));
  const roomForPoints = Math.floor((maxVertices * (all - shapeVertices)) / all);
  const takePoints = everyNthPoint(Math.ceil((all - shapeVertices) / Math.max(1, roomForPoints)));
  return parts.flatMap((part) => (part.kind === 'points' ? takePoints(part) : shown.get(part)) ?? []);
}

/** Counts the vertices of some parts. */
export function countVertices(parts: readonly TilePart[]): number {
  return parts.reduce((sum, { vertices }) => sum + vertices, 0);
}

/** Returns the largest shapes within the limit, thinned if necessary. */
function largestOf(shapes: readonly TilePart[], maxVertices: number): ReadonlyMap<TilePart, TilePart> {
  const shown = new Map<TilePart, TilePart>();
  let room = maxVertices;
  for (const part of shapes.toSorted((one, other) => other.size - one.size)) {
    const drawn = part.vertices <= room ? part : shown.size === 0 ? withFewerVertices(part, room) : undefined;
    if (drawn === undefined) break;
    shown.set(part, drawn);
    room -= drawn.vertices;
  }
  return shown;
}

/** Keeps every n-th vertex of a shape; removes holes and parts without extent. */
function withFewerVertices(part: TilePart, maxVertices: number): TilePart | undefined {
  const [path] = part.paths;
  const least = part.kind === 'polygon' ? 3 : 2;
  if (path === undefined || maxVertices < least) return undefined;
  const step = Math.ceil(path.length / 2 / maxVertices);
  const paths = [Int32Array.from(path).filter((_, index) => (index >> 1) % step === 0)];
  const isLost = verticesOf(paths) < least || (part.kind === 'polygon' && areaOf(paths[0] ?? path) <= 0);
  return isLost ? undefined : { ...part, paths, vertices: verticesOf(paths) };
}

/** Keeps every n-th point, counted through all parts. */
function everyNthPoint(n: number): (part: TilePart) => TilePart | undefined {
  let number = -1;
  return (part) => {
    const [points = new Int32Array()] = part.paths;
    const before = number;
    number += points.length / 2;
    const taken = Int32Array.from(points).filter((_, index) => (before + 1 + (index >> 1)) % n === 0);
    return taken.length === 0 ? undefined : { ...part, paths: [taken], vertices: taken.length / 2 };
  };
}
