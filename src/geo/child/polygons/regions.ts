import { polygonProblems } from '../../../messages/zoning/english.ts';
import { grownIntegers, grownNumbers } from './grown.ts';

/** Contiguous pixels of one key: pixels that share an edge, not only a corner. */
export interface Regions {
  readonly width: number;
  readonly height: number;
  /** Region number of each pixel, row by row: from 1 in the order of their first pixels; 0 for none. */
  readonly labels: Int32Array;
  readonly count: number;
  /** By region number; the first entry is unused. */
  readonly keys: Int32Array;
  /** Square metres by region number. */
  readonly areas: Float64Array;
}

/** A raster with more regions is not a map of zones, and its neighbourhood graph would not fit into memory. */
const mostRegions = 2 ** 22;
/** Maximum number of provisional labels before they are joined. */
const mostBegun = 2 ** 25;

/** Finds the regions of a raster, row by row. */
export interface RegionFinder {
  /**
   * @param keys of the pixels of the next row, positive; 0 for a pixel without a region
   * @param areas of the same pixels in square metres
   * @throws {Problem} for too many regions
   */
  addRow(keys: Int32Array, areas: Float64Array): void;
  /** @throws {Problem} for too many regions */
  finish(): Regions;
}

export function createRegionFinder(width: number, height: number): RegionFinder {
  const labels = new Int32Array(width * height);
  const above = new Int32Array(width);
  let parents = new Int32Array(1024);
  let keyOf = new Int32Array(1024);
  let areaOf = new Float64Array(1024);
  let begun = 0;
  let row = 0;

  function begin(key: number): number {
    begun += 1;
    if (begun === parents.length) {
      if (begun >= mostBegun) throw polygonProblems.farTooMany(mostRegions);
      [parents, keyOf, areaOf] = [grownIntegers(parents), grownIntegers(keyOf), grownNumbers(areaOf)];
    }
    parents[begun] = begun;
    keyOf[begun] = key;
    return begun;
  }

  function rootOf(label: number): number {
    let at = label;
    for (let parent = parents[at] ?? 0; parent !== at; parent = parents[at] ?? 0) {
      const next = parents[parent] ?? 0;
      parents[at] = next;
      at = next;
    }
    return at;
  }

  /** Keeps the smaller of two roots, which has the first pixel. */
  function join(one: number, other: number): number {
    const [a, b] = [rootOf(one), rootOf(other)];
    const [least, most] = a < b ? [a, b] : [b, a];
    parents[most] = least;
    return least;
  }

  return {
    addRow(keys, areas) {
      const from = row * width;
      let [left, label] = [0, 0];
      for (let column = 0; column < width; column += 1) {
        const key = keys[column] ?? 0;
        if (key === 0) {
          left = 0;
          continue;
        }
        const up = above[column] === key && row > 0 ? (labels[from + column - width] ?? 0) : 0;
        if (key !== left) label = up === 0 ? begin(key) : up;
        else if (up !== 0 && up !== label) label = join(label, up);
        left = key;
        labels[from + column] = label;
        areaOf[label] = (areaOf[label] ?? 0) + (areas[column] ?? 0);
      }
      above.set(keys);
      row += 1;
    },
    finish() {
      let count = 0;
      // A root precedes its members, so that its number is known.
      for (let label = 1; label <= begun; label += 1) {
        const parent = parents[label] ?? 0;
        const area = areaOf[label] ?? 0;
        if (parent === label) {
          count += 1;
          keyOf[count] = keyOf[label] ?? 0;
          areaOf[count] = area;
          parents[label] = count;
        } else {
          const number = parents[parent] ?? 0;
          areaOf[number] = (areaOf[number] ?? 0) + area;
          parents[label] = number;
        }
      }
      if (count > mostRegions) throw polygonProblems.farTooMany(mostRegions);
      for (let i = 0; i < labels.length; i += 1) labels[i] = parents[labels[i] ?? 0] ?? 0;
      return {
        width,
        height,
        labels,
        count,
        keys: keyOf.slice(0, count + 1),
        areas: areaOf.slice(0, count + 1),
      };
    },
  };
}
