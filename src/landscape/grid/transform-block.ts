import type { PointTransformation } from '../../geo/raster-reader.ts';
import type { ReferenceGrid } from './reference-grid.ts';
import type { Tile } from '../model/tiles.ts';

/** Coordinates of consecutive points. */
export interface Coordinates {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** The number of transformed points along a side of a block, for polynomials of the fourth degree. */
const nodes = 5;
/** Smaller blocks are transformed point by point. */
const minSide = 16;
/** The maximum error of an interpolated point, in pixels of the grid. */
const tolerancePixels = 1e-6;

/**
 * Returns the pixel centres of a block, in row-major order, in the target CRS of `transform`. They are interpolated between few
 * transformed points, which is many times faster, and verified in between. If the error exceeds a millionth of a pixel (at the limit of a
 * datum transformation or of a projection), every point is transformed.
 */
function transformBlock(grid: ReferenceGrid, block: Tile, transform: PointTransformation): Coordinates {
  if (block.width >= minSide && block.height >= minSide) {
    const corners = transformedLattice(grid, block, { transform, count: nodes, first: 0 });
    if (fits(corners, transformedLattice(grid, block, { transform, count: nodes - 1, first: 0.5 }), block)) {
      return interpolated(corners, block);
    }
  }
  const exact = centresOf(grid, block);
  transform(exact.xs, exact.ys);
  return exact;
}

/** Returns the pixel centres of a tile in the CRS of the grid, written to `room`. */
export function centresOf(
  grid: ReferenceGrid,
  { x, y, width, height }: Tile,
  room = newCoordinates(width * height),
): Coordinates {
  const { xs, ys } = room;
  for (let row = 0, i = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, i += 1) {
      xs[i] = grid.left + (x + column + 0.5) * grid.resX;
      ys[i] = grid.top - (y + row + 0.5) * grid.resY;
    }
  }
  return room;
}

/** Allocates coordinates for a number of points. */
export function newCoordinates(length: number): Coordinates {
  return { xs: new Float64Array(length), ys: new Float64Array(length) };
}

/** Transforms `count` by `count` points of a block, the first one `first` steps from its corner; one step is the distance between nodes. */
function transformedLattice(
  grid: ReferenceGrid,
  { x, y, width, height }: Tile,
  lattice: { readonly transform: PointTransformation; readonly count: number; readonly first: number },
): Coordinates {
  const { transform, count, first } = lattice;
  const { xs, ys } = newCoordinates(count * count);
  for (let i = 0; i < xs.length; i += 1) {
    const column = x + (((i % count) + first) * (width - 1)) / (nodes - 1);
    const row = y + ((Math.floor(i / count) + first) * (height - 1)) / (nodes - 1);
    xs[i] = grid.left + (column + 0.5) * grid.resX;
    ys[i] = grid.top - (row + 0.5) * grid.resY;
  }
  transform(xs, ys);
  return { xs, ys };
}

/** Verifies the interpolation at the midpoints between the nodes. */
function fits({ xs, ys }: Coordinates, middles: Coordinates, { width, height }: Tile): boolean {
  const [x = Number.NaN, y = Number.NaN] = [xs[0], ys[0]];
  const across = Math.hypot((xs[nodes - 1] ?? 0) - x, (ys[nodes - 1] ?? 0) - y) / (width - 1);
  const down = Math.hypot((xs[xs.length - nodes] ?? 0) - x, (ys[xs.length - nodes] ?? 0) - y) / (height - 1);
  const tolerance = tolerancePixels * Math.min(across, down);
  const steps = Array.from({ length: nodes - 1 }, (_, i) => weightsAt(i + 0.5));
  return steps.every((rowWeights, row) =>
    steps.every((columnWeights, column) => {
      const i = row * (nodes - 1) + column;
      const offX = valueAt(xs, columnWeights, rowWeights) - (middles.xs[i] ?? 0);
      const offY = valueAt(ys, columnWeights, rowWeights) - (middles.ys[i] ?? 0);
      // Also false for NaN, a point that cannot be transformed.
      return Math.abs(offX) <= tolerance && Math.abs(offY) <= tolerance;
    }),
  );
}

function valueAt(values: Float64Array, columnWeights: Float64Array, rowWeights: Float64Array): number {
  const base = values[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) {
    const weight = (columnWeights[i % nodes] ?? 0) * (rowWeights[Math.floor(i / nodes)] ?? 0);
    sum += weight * ((values[i] ?? 0) - base);
  }
  return base + sum;
}

/** Returns Lagrange weights: the contribution of each node to the value at `step`, in steps from the first node. */
function weightsAt(step: number): Float64Array {
  return Float64Array.from({ length: nodes }, (_, k) => {
    let weight = 1;
    for (let m = 0; m < nodes; m += 1) if (m !== k) weight *= (step - m) / (k - m);
    return weight;
  });
}

function interpolated({ xs, ys }: Coordinates, { width, height }: Tile): Coordinates {
  const all = newCoordinates(width * height);
  fill(all.xs, xs, width, height);
  fill(all.ys, ys, width, height);
  return all;
}

/** Fills values row by row: first the polynomial of the row, then its values. Differences from the first node preserve precision. */
function fill(out: Float64Array, values: Float64Array, width: number, height: number): void {
  const weights = Array.from({ length: width }, (_, i) => weightsAt((i * (nodes - 1)) / (width - 1)));
  const base = values[0] ?? 0;
  for (let row = 0, i = 0; row < height; row += 1) {
    const rowWeights = weightsAt((row * (nodes - 1)) / (height - 1));
    const at = (column: number) => {
      let sum = 0;
      for (let k = 0; k < nodes; k += 1)
        sum += (rowWeights[k] ?? 0) * ((values[k * nodes + column] ?? 0) - base);
      return sum;
    };
    const [a, b, c, d, e] = [at(0), at(1), at(2), at(3), at(4)];
    for (let column = 0; column < width; column += 1, i += 1) {
      const w = weights[column];
      if (w === undefined) break;
      out[i] =
        base + (a * (w[0] ?? 0) + b * (w[1] ?? 0) + c * (w[2] ?? 0) + d * (w[3] ?? 0) + e * (w[4] ?? 0));
    }
  }
}

/** Blocks have a fixed position on the grid, so that coordinates do not depend on the tile. */
const blockSide = 64;

/** Returns the pixel centres of a tile, in row-major order, in the target CRS of `transform`, or in the CRS of the grid. */
export function coordinatesOf(
  grid: ReferenceGrid,
  tile: Tile,
  transform: PointTransformation | undefined,
  make: (length: number) => Coordinates,
): Coordinates {
  const all = make(tile.width * tile.height);
  if (transform === undefined) return centresOf(grid, tile, all);
  for (const block of blocksUnder(tile, grid)) {
    copyOverlap(transformBlock(grid, block, transform), block, all, tile);
  }
  return all;
}

/** Yields the blocks that a tile intersects, clipped only to the grid. */
function* blocksUnder(tile: Tile, grid: ReferenceGrid): Generator<Tile> {
  const first = (position: number) => position - (position % blockSide);
  for (let y = first(tile.y); y < tile.y + tile.height; y += blockSide) {
    for (let x = first(tile.x); x < tile.x + tile.width; x += blockSide) {
      yield {
        x,
        y,
        width: Math.min(blockSide, grid.width - x),
        height: Math.min(blockSide, grid.height - y),
      };
    }
  }
}

function copyOverlap(from: Coordinates, block: Tile, to: Coordinates, tile: Tile): void {
  const left = Math.max(block.x, tile.x);
  const right = Math.min(block.x + block.width, tile.x + tile.width);
  const bottom = Math.min(block.y + block.height, tile.y + tile.height);
  for (let y = Math.max(block.y, tile.y); y < bottom; y += 1) {
    const begin = (y - block.y) * block.width - block.x;
    const target = (y - tile.y) * tile.width + left - tile.x;
    to.xs.set(from.xs.subarray(begin + left, begin + right), target);
    to.ys.set(from.ys.subarray(begin + left, begin + right), target);
  }
}
