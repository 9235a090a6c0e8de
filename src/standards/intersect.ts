import { type Box, overlap } from './boxes.ts';
import { type Position, positionsOf, type Shape } from './shapes.ts';

type Line = readonly Position[];

/** Remaining cost of a search. */
export interface Budget {
  /** Remaining comparisons of two edges, or of a point with an edge. */
  steps: number;
}

export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

export function boxOfShape(shape: Shape): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of positionsOf(shape)) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}

/**
 * Returns whether two shapes on a plane share a point; touching counts.
 * @throws {BudgetSpent} if that takes more steps than the budget allows
 */
export function intersects(one: Shape, other: Shape, budget: Budget): boolean {
  if (!overlap(boxOfShape(one), boxOfShape(other))) return false;
  return (
    someEdges(edgesOf(one), edgesOf(other), budget) ||
    anyInside(one, other, budget) ||
    anyInside(other, one, budget)
  );
}

/** Points become edges of length zero. */
function edgesOf({ points, lines, polygons }: Shape): readonly Line[] {
  return [...points.map((point) => [point, point]), ...lines, ...polygons.flat()];
}

function someEdges(ones: readonly Line[], others: readonly Line[], budget: Budget): boolean {
  for (const one of ones) for (const other of others) if (cross(one, other, budget)) return true;
  return false;
}

function cross(one: Line, other: Line, budget: Budget): boolean {
  for (let i = 1; i < one.length; i += 1) {
    const [a, b] = [one[i - 1], one[i]];
    if (a === undefined || b === undefined) continue;
    spend(budget, other.length);
    for (let j = 1; j < other.length; j += 1) {
      const [c, d] = [other[j - 1], other[j]];
      if (c !== undefined && d !== undefined && meet(a, b, c, d)) return true;
    }
  }
  return false;
}

/** Returns whether two segments share a point. */
function meet(a: Position, b: Position, c: Position, d: Position): boolean {
  const [c1, c2, a1, a2] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (c1 * c2 < 0 && a1 * a2 < 0) return true;
  return (
    (c1 === 0 && isWithin(a, b, c)) ||
    (c2 === 0 && isWithin(a, b, d)) ||
    (a1 === 0 && isWithin(c, d, a)) ||
    (a2 === 0 && isWithin(c, d, b))
  );
}

function side([ax, ay]: Position, [bx, by]: Position, [px, py]: Position): number {
  return Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax));
}

function isWithin([ax, ay]: Position, [bx, by]: Position, [px, py]: Position): boolean {
  return px >= Math.min(ax, bx) && px <= Math.max(ax, bx) && py >= Math.min(ay, by) && py <= Math.max(ay, by);
}

/** Returns whether a part lies inside a polygon of the other shape. If no edges meet, one position of each part decides. */
function anyInside(inner: Shape, outer: Shape, budget: Budget): boolean {
  return edgesOf(inner).some(([position]) =>
    outer.polygons.some((rings) => position !== undefined && isInside(position, rings, budget)),
  );
}

function isInside([x, y]: Position, rings: readonly Line[], budget: Budget): boolean {
  let inside = false;
  for (const ring of rings) {
    spend(budget, ring.length);
    for (let i = 1; i < ring.length; i += 1) {
      const [a, b] = [ring[i - 1], ring[i]];
      if (a === undefined || b === undefined || a[1] > y === b[1] > y) continue;
      if (x < a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
    }
  }
  return inside;
}

function spend(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetSpent('the budget of a search is spent');
}
