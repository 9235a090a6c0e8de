import type { Position, SourceFeature } from './collection.ts';
import { isQuickToSimplify } from './simplify-cost.ts';

/** An index of this many positions is made in about a second and takes 24 MB. */
export const maxIndexedPositions = 1_000_000;
/** A shorter ring is simplified in less than its length squared, which is little. */
export const maxHostileRing = 256;
/** About a metre. */
const leastStepDegrees = 1e-5;

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
      if (line.length <= maxHostileRing || isQuickToSimplify(line)) return line;
      hostile += 1;
      return everyNth(line, Math.ceil(line.length / maxHostileRing));
    }),
  );
  return { features: quick, thinned: few !== features || hostile > 0 };
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
  const all = countPositions(features);
  let left = features;
  for (let step = leastStepDegrees; countPositions(left) > most && step < 360; step *= 2) {
    const share = Math.ceil(all / most);
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
  const kept = line.slice(0, 1);
  let [x = 0, y = 0] = line[0] ?? [];
  for (let i = 1; i < line.length - 1; i += 1) {
    const [nextX = 0, nextY = 0] = line[i] ?? [];
    const needed = line.length - i <= 4 - kept.length;
    if (!needed && Math.abs(nextX - x) < step && Math.abs(nextY - y) < step) continue;
    kept.push([nextX, nextY]);
    [x, y] = [nextX, nextY];
  }
  kept.push(...line.slice(-1));
  return kept;
}

/** Every n-th item, and the last. */
export function everyNth<T>(items: readonly T[], n: number): T[] {
  return items.filter((_, index) => index % n === 0 || index === items.length - 1);
}
