import { grownIntegers } from './grown.ts';
import type { Regions } from './regions.ts';

/** Where the rings of regions begin. */
export interface RingStarts {
  /** The pixel at whose left edge a ring begins, by region; the outer ring of each comes first. */
  readonly pixels: Int32Array;
  /** By number of a region: its first ring; behind the last region their number. */
  readonly offsets: Int32Array;
  /** Edges of pixels that all rings have together. */
  readonly edges: number;
}

/** Directions: east, south, west, north. */
const [columnSteps, rowSteps] = [
  [1, 0, -1, 0],
  [0, 1, 0, -1],
] as const;
const north = 3;
/** From a corner to the pixel ahead of it on the left; the one on the right is that of the next direction. */
const [columnsAhead, rowsAhead] = [
  [0, 0, -1, -1],
  [-1, 0, 0, -1],
] as const;

/**
 * Walks around a region from the left edge of a pixel on, with the region to the right, until it is back. Where two pixels of it touch at a
 * corner alone, it goes on at the other one: as a region is contiguous, no ring then comes to a corner twice.
 * @param visit is given the corner at which each edge ends, and for an edge to the north the pixel to the right of it, else -1.
 */
function walk(
  { width, height, labels }: Regions,
  start: number,
  visit: (column: number, row: number, pixel: number) => void,
): void {
  const region = labels[start];
  const isInside = (column: number, row: number) =>
    column >= 0 && column < width && row >= 0 && row < height && labels[row * width + column] === region;
  const [firstColumn, firstRow] = [start % width, Math.floor(start / width) + 1];
  let [column, row] = [firstColumn, firstRow];
  let direction: number = north;
  do {
    column += columnSteps[direction] ?? 0;
    row += rowSteps[direction] ?? 0;
    visit(column, row, direction === north ? row * width + column : -1);
    const next = (direction + 1) % 4;
    if (isInside(column + (columnsAhead[direction] ?? 0), row + (rowsAhead[direction] ?? 0)))
      direction = (direction + 3) % 4;
    else if (!isInside(column + (columnsAhead[next] ?? 0), row + (rowsAhead[next] ?? 0))) direction = next;
  } while (column !== firstColumn || row !== firstRow);
}

/** Finds all rings. */
export function findRings(regions: Regions): RingStarts {
  const { width, labels, count } = regions;
  /** A bit for the left edge of each pixel. */
  const seen = new Uint8Array(Math.ceil(labels.length / 8));
  let found = new Int32Array(1024);
  let [rings, edges] = [0, 0];
  const offsets = new Int32Array(count + 2);
  for (let pixel = 0; pixel < labels.length; pixel += 1) {
    const label = labels[pixel] ?? 0;
    if (label === 0 || (pixel % width > 0 && labels[pixel - 1] === label)) continue;
    if ((seen[pixel >> 3] ?? 0) & (1 << (pixel & 7))) continue;
    walk(regions, pixel, (_column, _row, right) => {
      edges += 1;
      if (right >= 0) seen[right >> 3] = (seen[right >> 3] ?? 0) | (1 << (right & 7));
    });
    if (rings === found.length) found = grownIntegers(found);
    found[rings] = pixel;
    rings += 1;
    offsets[label + 1] = (offsets[label + 1] ?? 0) + 1;
  }
  for (let label = 1; label <= count + 1; label += 1)
    offsets[label] = (offsets[label] ?? 0) + (offsets[label - 1] ?? 0);
  const pixels = new Int32Array(rings);
  const places = offsets.slice();
  for (let ring = 0; ring < rings; ring += 1) {
    const pixel = found[ring] ?? 0;
    const label = labels[pixel] ?? 0;
    const place = places[label] ?? 0;
    pixels[place] = pixel;
    places[label] = place + 1;
  }
  return { pixels, offsets, edges };
}

/** Returns columns and rows of the corners of a ring, one after the other, without the first again at its end. */
export function ringFrom(regions: Regions, start: number): Float64Array {
  const corners: number[] = [];
  walk(regions, start, (column, row) => corners.push(column, row));
  return Float64Array.from(corners);
}
