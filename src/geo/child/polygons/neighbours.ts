import { polygonProblems } from '../../../messages/zoning/english.ts';
import { grownIntegers } from './grown.ts';
import type { Regions } from './regions.ts';

/** Borders between two regions. Halves 2·i and 2·i + 1 are the two sides of border i. */
export interface Borders {
  /** By half: the region on the other side. */
  readonly others: Int32Array;
  /** By border: the number of edges between two columns, or the negative number of edges between two rows. */
  readonly edges: Int32Array;
  /** By region: its first and last half; -1 for none. No half follows the last one. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** By half: the next one of the same region; -1 at the end. */
  readonly next: Int32Array;
}

const mostBorders = 2 ** 24;

/** Finds the borders between regions that may merge; two regions may share several. @throws {Problem} for too many borders */
export function findBorders(
  { width, height, labels, count, keys }: Regions,
  mayJoin: (key: number, other: number) => boolean,
): Borders {
  let others = new Int32Array(2048);
  let next = new Int32Array(2048).fill(-1);
  let edges = new Int32Array(1024);
  const [first, last] = [new Int32Array(count + 1).fill(-1), new Int32Array(count + 1).fill(-1)];
  let borders = 0;

  function addHalf(half: number, of: number, other: number): void {
    others[half] = other;
    next[half] = -1;
    const before = last[of] ?? -1;
    if (before === -1) first[of] = half;
    else next[before] = half;
    last[of] = half;
  }

  /** Adds an edge and returns its border: the previous one if that is between the same regions. */
  function add(one: number, other: number, edge: 1 | -1, before: number): number {
    if (before !== -1 && others[2 * before] === other && others[2 * before + 1] === one) {
      edges[before] = (edges[before] ?? 0) + edge;
      return before;
    }
    if (borders === edges.length) {
      if (borders >= mostBorders) throw polygonProblems.tooRagged(count);
      [others, next, edges] = [grownIntegers(others), grownIntegers(next), grownIntegers(edges)];
    }
    addHalf(2 * borders, one, other);
    addHalf(2 * borders + 1, other, one);
    edges[borders] = edge;
    borders += 1;
    return borders - 1;
  }

  const areNeighbours = (one: number, other: number) =>
    one !== other && one !== 0 && other !== 0 && mayJoin(keys[one] ?? 0, keys[other] ?? 0);
  /** By column: the border to the column before, in the row above. */
  const toTheLeft = new Int32Array(width).fill(-1);
  for (let row = 0; row < height; row += 1) {
    const from = row * width;
    let upwards = -1;
    for (let column = 0; column < width; column += 1) {
      const label = labels[from + column] ?? 0;
      const left = column === 0 ? 0 : (labels[from + column - 1] ?? 0);
      toTheLeft[column] = areNeighbours(label, left) ? add(label, left, 1, toTheLeft[column] ?? -1) : -1;
      const up = row === 0 ? 0 : (labels[from + column - width] ?? 0);
      upwards = areNeighbours(label, up) ? add(label, up, -1, upwards) : -1;
    }
  }
  return { others, edges, first, last, next };
}
