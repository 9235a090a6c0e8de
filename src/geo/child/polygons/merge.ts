import { polygonProblems } from '../../../messages/zoning/english.ts';
import { findBorders } from './neighbours.ts';
import type { Regions } from './regions.ts';
import { toHectares } from '../../../../common/formats/hectares.ts';

/** Length in metres of an edge between two rows, and between two columns. */
export interface EdgeLengths {
  readonly betweenRows: number;
  readonly betweenColumns: number;
}

interface Merging {
  /** Square metres; 0 merges nothing. */
  readonly minArea: number;
  /** Maximum number of remaining regions. */
  readonly most: number;
  /** Returns whether regions of two keys may merge. */
  readonly mayJoin: (key: number, other: number) => boolean;
  readonly lengths: EdgeLengths;
}

/** Neighbours of one key. */
interface Neighbours {
  /** Number of edges between two rows, and between two columns. */
  rows: number;
  columns: number;
  /** Area of the largest in square metres. */
  area: number;
  /** The one with the first pixel. */
  first: number;
  readonly roots: number[];
}

/**
 * Merges regions below the minimum area, smallest first: each takes the key with which it shares the longest border,
 * and merges with all neighbours of that key; ties are decided by the larger neighbour, then by the first one. A region
 * without neighbours stays. The order of merging does not depend on the minimum, which only decides the end.
 * @returns regions numbered in the order of their first pixels; `labels` are changed in place
 * @throws {Problem} if too many are left; it names the smallest sufficient minimum in hectares
 */
export function mergeSmall(regions: Regions, { minArea, most, mayJoin, lengths }: Merging): Regions {
  const { count } = regions;
  if (minArea === 0 && count <= most) return regions;
  const { others, edges, first, last, next } = findBorders(regions, mayJoin);
  const [keys, areas] = [regions.keys.slice(), regions.areas.slice()];
  const parents = Int32Array.from({ length: count + 1 }, (_, number) => number);
  const queue = createAreaQueue(count);
  for (let number = 1; number <= count; number += 1) queue.push(number, areas[number] ?? 0);

  function rootOf(number: number): number {
    let at = number;
    for (let parent = parents[at] ?? 0; parent !== at; parent = parents[at] ?? 0) {
      parents[at] = parents[parent] ?? 0;
      at = parents[at] ?? 0;
    }
    return at;
  }

  /** Returns the neighbours of the key with the longest border; undefined without any. */
  function chosen(region: number): Neighbours | undefined {
    const byKey = new Map<number, Neighbours>();
    for (let half = first[region] ?? -1; half !== -1; half = next[half] ?? -1) {
      const root = rootOf(others[half] ?? 0);
      if (root === region) continue; // an inner border of a merged region
      const key = keys[root] ?? 0;
      let found = byKey.get(key);
      if (found === undefined)
        byKey.set(key, (found = { rows: 0, columns: 0, area: 0, first: root, roots: [] }));
      const count = edges[half >> 1] ?? 0;
      if (count > 0) found.columns += count;
      else found.rows -= count;
      found.area = Math.max(found.area, areas[root] ?? 0);
      found.first = Math.min(found.first, root);
      found.roots.push(root);
    }
    let best: Neighbours | undefined;
    for (const each of byKey.values()) if (best === undefined || isBetter(each, best)) best = each;
    return best;
  }

  const lengthOf = ({ rows, columns }: Neighbours) =>
    rows * lengths.betweenRows + columns * lengths.betweenColumns;
  function isBetter(one: Neighbours, other: Neighbours): boolean {
    const longer = lengthOf(one) - lengthOf(other) || one.area - other.area || other.first - one.first;
    return longer > 0;
  }

  /** Merges two regions; returns the one with the first pixel, with the key of `into`. */
  function join(into: number, other: number): number {
    const key = keys[into] ?? 0;
    const [root, gone] = into < other ? [into, other] : [other, into];
    parents[gone] = root;
    areas[root] = (areas[root] ?? 0) + (areas[gone] ?? 0);
    keys[root] = key;
    if (first[root] === -1) first[root] = first[gone] ?? -1;
    else next[last[root] ?? 0] = first[gone] ?? -1;
    if (last[gone] !== -1) last[root] = last[gone] ?? -1;
    return root;
  }

  let left = count;
  /** Number of remaining regions with this minimum, if known to be too many. */
  let excess: number | undefined;
  let merged = 0;
  for (let least = queue.pop(); least !== undefined; least = queue.pop()) {
    const { region, area } = least;
    if (area >= minArea && left > most) excess ??= left;
    if (area >= minArea && left <= most) break;
    if (parents[region] !== region || areas[region] !== area) continue; // merged since
    const neighbours = chosen(region);
    if (neighbours === undefined) continue;
    let root = region;
    for (const each of neighbours.roots) {
      const other = rootOf(each);
      if (other === root) continue;
      root = join(other, root);
      left -= 1;
    }
    queue.push(root, areas[root] ?? 0);
    merged = area;
  }
  if (left > most) throw polygonProblems.tooMany(excess ?? left, most, null);
  if (excess !== undefined) throw polygonProblems.tooMany(excess, most, hectaresAbove(merged));
  return renumbered(regions, { keys, areas, rootOf });
}

/** Rounds up to hectares with two significant digits, greater than this area. */
function hectaresAbove(squareMetres: number): number {
  const hectares = Math.max(1e-6, toHectares(squareMetres));
  const step = 10 ** (Math.floor(Math.log10(hectares)) - 1);
  return Number(((Math.floor(hectares / step) + 1) * step).toPrecision(2));
}

function renumbered(
  { width, height, labels, count }: Regions,
  { keys, areas, rootOf }: Pick<Regions, 'keys' | 'areas'> & { readonly rootOf: (number: number) => number },
): Regions {
  const numbers = new Int32Array(count + 1);
  let left = 0;
  for (let number = 1; number <= count; number += 1) {
    const root = rootOf(number);
    if (root !== number) {
      numbers[number] = numbers[root] ?? 0;
      continue;
    }
    left += 1;
    numbers[number] = left;
    keys[left] = keys[number] ?? 0;
    areas[left] = areas[number] ?? 0;
  }
  for (let i = 0; i < labels.length; i += 1) labels[i] = numbers[labels[i] ?? 0] ?? 0;
  return {
    width,
    height,
    labels,
    count: left,
    keys: keys.slice(0, left + 1),
    areas: areas.slice(0, left + 1),
  };
}

/** A priority queue of regions, smallest area first, then smallest number. */
interface AreaQueue {
  push(region: number, area: number): void;
  /** Returns undefined if it is empty. */
  pop(): { readonly region: number; readonly area: number } | undefined;
}

/** @param capacity maximum size */
function createAreaQueue(capacity: number): AreaQueue {
  const regions = new Int32Array(capacity);
  const areas = new Float64Array(capacity);
  let size = 0;

  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [areas[one] ?? 0, areas[other] ?? 0];
    return a === b ? (regions[one] ?? 0) < (regions[other] ?? 0) : a < b;
  };
  const swap = (one: number, other: number): void => {
    [regions[one], regions[other]] = [regions[other] ?? 0, regions[one] ?? 0];
    [areas[one], areas[other]] = [areas[other] ?? 0, areas[one] ?? 0];
  };

  return {
    push(region, area) {
      let at = size;
      size += 1;
      regions[at] = region;
      areas[at] = area;
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      if (size === 0) return undefined;
      const least = { region: regions[0] ?? 0, area: areas[0] ?? 0 };
      size -= 1;
      swap(0, size);
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        let smallest = at;
        if (left < size && isBefore(left, smallest)) smallest = left;
        if (right < size && isBefore(right, smallest)) smallest = right;
        if (smallest === at) return least;
        swap(at, smallest);
        at = smallest;
      }
    },
  };
}
