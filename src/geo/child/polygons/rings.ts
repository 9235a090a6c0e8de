import { grownIntegers } from './grown.ts';
import type { Regions } from './regions.ts';

export interface RingStarts {
  /** The pixel at whose left edge a ring starts, by ring; the outer ring of each region comes first. */
  readonly pixels: Int32Array;
  /** By region number: its first ring; the last entry is the number of rings. */
  readonly offsets: Int32Array;
  /** Number of pixel edges of all rings. */
  readonly edges: number;
}

/** Directions: east, south, west, north. */
const [columnSteps, rowSteps] = [
  [1, 0, -1, 0],
  [0, 1, 0, -1],
] as const;
const north = 3;
/** From a corner to the pixel ahead on the left; the one ahead on the right is that of the next direction. */
const [columnsAhead, rowsAhead] = [
  [0, 0, -1, -1],
  [-1, 0, 0, -1],
] as const;

/**
 * Walks around a region from the left edge of a pixel, with the region on the right. Where two of its pixels touch at a
 * corner only, it continues at the other one: since a region is contiguous, no ring visits a corner twice.
 * @param visit receives the corner at the end of each edge, and the pixel to the right of a northward edge, else -1.
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

export function findRings(regions: Regions): RingStarts {
  const { width, labels, count } = regions;
  /** One bit for the left edge of each pixel. */
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

/** Returns columns and rows of the corners of a ring, without repeating the first. */
export function ringFrom(regions: Regions, start: number): Float64Array {
  const corners: number[] = [];
  walk(regions, start, (column, row) => corners.push(column, row));
  return Float64Array.from(corners);
}
