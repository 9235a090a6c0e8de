import { areaOf, type TilePart, verticesOf } from './tile-parts.ts';

/**
 * Leaves out parts until there are at most so many vertices: of areas and lines the smallest, of points all but every n-th.
 * Points keep their share of the vertices. What is too much by itself loses vertices.
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

/** The largest shapes for which there is room, as they are then drawn. */
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

/** Keeps every n-th vertex of a shape; holes and what then has no extent go. */
function withFewerVertices(part: TilePart, maxVertices: number): TilePart | undefined {
  const [path] = part.paths;
  const least = part.kind === 'polygon' ? 3 : 2;
  if (path === undefined || maxVertices < least) return undefined;
  const step = Math.ceil(path.length / 2 / maxVertices);
  const paths = [Int32Array.from(path).filter((_, index) => (index >> 1) % step === 0)];
  const isLost = verticesOf(paths) < least || (part.kind === 'polygon' && areaOf(paths[0] ?? path) <= 0);
  return isLost ? undefined : { ...part, paths, vertices: verticesOf(paths) };
}

/** Takes every n-th point, counted through all parts. */
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
