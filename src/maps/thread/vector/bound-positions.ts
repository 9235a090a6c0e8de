import type { Position, SourceFeature } from './collection.ts';
import { worldX, worldY } from '../../../../common/maps/raster/web-mercator.ts';

/** An index of this many positions takes about a second and 24 MB. */
export const maxIndexedPositions = 1_000_000;
/** A shorter ring is simplified quickly even in quadratic time. */
export const maxHostileRing = 256;
/** About a metre, ten metres, … ten kilometres: each needs a pass over all positions. */
const stepsDegrees = [1e-5, 1e-4, 1e-3, 1e-2, 0.1];

export interface BoundedFeatures {
  readonly features: readonly SourceFeature[];
  /** True if positions were removed. */
  readonly thinned: boolean;
}

/**
 * Limits the input of a tile index: the number of positions, and lines or rings whose simplification takes quadratic
 * time or recursion beyond the stack.
 */
export function boundPositions(
  features: readonly SourceFeature[],
  most: number = maxIndexedPositions,
): BoundedFeatures {
  const few = withoutNearPositions(features, most);
  let hostile = 0;
  const quick = few.map((feature) =>
    mapLines(feature, (line) => {
      const left = quickToSimplify(line);
      if (left !== line) hostile += 1;
      return left;
    }),
  );
  return { features: quick, thinned: few !== features || hostile > 0 };
}

/** Keeps every fifth position and not every fourth: zigzags would lose one side. */
function quickToSimplify(line: Position[]): Position[] {
  let left = line;
  while (left.length > maxHostileRing && !isQuickToSimplify(left)) left = everyNth(left, 5);
  return left;
}

/** Counts all positions of some features. */
export function countPositions(features: readonly SourceFeature[]): number {
  let count = 0;
  for (const { points, lines, polygons } of features) {
    count += points.length;
    for (const line of lines) count += line.length;
    for (const rings of polygons) for (const ring of rings) count += ring.length;
  }
  return count;
}

/** Removes positions close to the previous one, with growing distances until few enough remain; thins points by number. */
function withoutNearPositions(features: readonly SourceFeature[], most: number): readonly SourceFeature[] {
  const share = Math.ceil(countPositions(features) / most);
  let left = features;
  for (const step of stepsDegrees) {
    if (countPositions(left) <= most) return left;
    left = features.map((feature) => ({
      ...mapLines(feature, (line) => withoutNear(line, step)),
      points: everyNth(feature.points, share),
    }));
  }
  return countPositions(left) <= most ? left : withoutSmallParts(left, most);
}

/** Keeps every n-th part, if only short lines and rings are left, as the limit allows. */
function withoutSmallParts(features: readonly SourceFeature[], most: number): readonly SourceFeature[] {
  const share = Math.ceil(countPositions(features) / most);
  let number = 0;
  const isTaken = () => {
    number += 1;
    return (number - 1) % share === 0;
  };
  return features.map(({ properties, points, lines, polygons }) => ({
    properties,
    points: points.filter(isTaken),
    lines: lines.filter(isTaken),
    polygons: polygons.filter(isTaken).map(([outer = [], ...holes]) => [outer, ...holes.filter(isTaken)]),
  }));
}

function mapLines(feature: SourceFeature, map: (line: Position[]) => Position[]): SourceFeature {
  const { properties, points, lines, polygons } = feature;
  return { properties, points, lines: lines.map(map), polygons: polygons.map((rings) => rings.map(map)) };
}

/** Keeps the first and the last position, and at least the four that a ring needs. */
export function withoutNear<Place extends readonly number[]>(line: Place[], step: number): Place[] {
  if (line.length <= 4) return line;
  const kept = line.slice(0, 1);
  let [x = 0, y = 0] = line[0] ?? [];
  for (let i = 1; i < line.length - 1; i += 1) {
    const next = line[i];
    if (next === undefined) continue;
    const [nextX = 0, nextY = 0] = next;
    const isNeeded = line.length - i <= 4 - kept.length;
    if (!isNeeded && Math.abs(nextX - x) < step && Math.abs(nextY - y) < step) continue;
    kept.push(next);
    [x, y] = [nextX, nextY];
  }
  kept.push(...line.slice(-1));
  return kept;
}

/** Returns every n-th item and the last one. */
export function everyNth<T>(items: readonly T[], n: number): T[] {
  return items.filter((_, index) => index % n === 0 || index === items.length - 1);
}

/** Natural lines are halved about thirty times, and each position is examined as often. */
const maxLooksPerPosition = 100;
/** The stack of a thread has room for several thousand calls. */
const maxDepth = 1000;
/** Three units of a tile at the deepest zoom, as a share of the world, squared: finer lines are not halved. */
const squaredTolerance = (3 / (2 ** 22 * 4096)) ** 2;

/**
 * Returns true if the Douglas-Peucker simplification of a line is quick. It is slow for ever narrower zigzags: each
 * position is the farthest from all that follow, so that time is quadratic and depth linear in the length.
 */
export function isQuickToSimplify(line: readonly Position[]): boolean {
  const xy = projected(line);
  const stack: (readonly [first: number, last: number, depth: number])[] = [[0, line.length - 1, 0]];
  let looks = line.length * maxLooksPerPosition;
  for (let range = stack.pop(); range !== undefined; range = stack.pop()) {
    const [first, last, depth] = range;
    looks -= last - first;
    if (looks < 0 || depth > maxDepth) return false;
    const middle = farthest(xy, first, last);
    if (middle === undefined) continue;
    if (middle - first > 1) stack.push([first, middle, depth + 1]);
    if (last - middle > 1) stack.push([middle, last, depth + 1]);
  }
  return true;
}

/** Returns positions in Web Mercator; the world has the width 1. */
function projected(line: readonly Position[]): Float64Array {
  const xy = new Float64Array(line.length * 2);
  line.forEach(([longitude = 0, latitude = 0], index) => {
    xy[2 * index] = worldX(longitude);
    xy[2 * index + 1] = worldY(latitude);
  });
  return xy;
}

/** Returns the position between two others that is farthest from the line through them; of several the one nearest to the middle. */
function farthest(xy: Float64Array, first: number, last: number): number | undefined {
  const at = (index: number) => xy[index] ?? 0;
  const [ax, ay] = [at(2 * first), at(2 * first + 1)];
  const [dx, dy] = [at(2 * last) - ax, at(2 * last + 1) - ay];
  const squared = dx * dx + dy * dy;
  const middle = (first + last) >> 1;
  let [most, found, fromMiddle] = [squaredTolerance, -1, last - first];
  for (let i = first + 1; i < last; i += 1) {
    const [px, py] = [at(2 * i) - ax, at(2 * i + 1) - ay];
    const share = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
    const [ex, ey] = [px - share * dx, py - share * dy];
    const distance = ex * ex + ey * ey;
    if (distance > most) {
      most = distance;
      found = i;
    } else if (distance === most && Math.abs(i - middle) < fromMiddle) {
      fromMiddle = Math.abs(i - middle);
      found = i;
    }
  }
  return most > squaredTolerance && found >= 0 ? found : undefined;
}
