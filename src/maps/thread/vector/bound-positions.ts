import type { Position, SourceFeature } from './collection.ts';
import { isQuickToSimplify } from './simplify-cost.ts';

/** An index of this many positions is made in about a second and takes 24 MB. */
export const maxIndexedPositions = 1_000_000;
/** A shorter ring is simplified in less than its length squared, which is little. */
export const maxHostileRing = 256;
/** About a metre, ten metres, … ten kilometres: each needs a look at everything. */
const stepsDegrees = [1e-5, 1e-4, 1e-3, 1e-2, 0.1];

export interface BoundedFeatures {
  readonly features: readonly SourceFeature[];
  /** True when positions were left out. */
  readonly thinned: boolean;
}

/**
 * Bounds what an index of tiles is made of: at most so many positions, and no line or ring that takes its simplification
 * time by the square of its length, or a depth of recursion that the stack does not have.
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

/** Every fifth position and not every fourth: zigzags would lose one side. */
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

/** Leaves out what lies near the position before, by steps that grow until few enough are left; points by their number. */
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

/** Nothing but short rings is left: as many as there is room for. */
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

/** Keeps the first and the last position, and of a ring at least the four that it needs. */
function withoutNear(line: Position[], step: number): Position[] {
  if (line.length <= 4) return line;
  const kept = line.slice(0, 1);
  let [x = 0, y = 0] = line[0] ?? [];
  for (let i = 1; i < line.length - 1; i += 1) {
    const next = line[i] ?? [];
    const [nextX = 0, nextY = 0] = next;
    const isNeeded = line.length - i <= 4 - kept.length;
    if (!isNeeded && Math.abs(nextX - x) < step && Math.abs(nextY - y) < step) continue;
    kept.push(next);
    [x, y] = [nextX, nextY];
  }
  kept.push(...line.slice(-1));
  return kept;
}

/** Every n-th item, and the last. */
export function everyNth<T>(items: readonly T[], n: number): T[] {
  return items.filter((_, index) => index % n === 0 || index === items.length - 1);
}
