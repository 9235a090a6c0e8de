import type { PointTransformation } from '../../geo/raster-sources.ts';
import type { ReferenceGrid } from './ground.ts';
import type { Tile } from './tiles.ts';

/** Where the centres of the pixels of a tile lie, row by row. */
export interface Coordinates {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/**
 * Points are transformed in blocks of this side, which are fixed on the grid and always transformed whole: where several
 * ways lead from one CRS to another, GDAL can be told to choose one by the mean of the points that it is given together.
 */
const blockSide = 64;

/** The centres of the pixels of a tile in the CRS that `transform` leads to, or in that of the grid. */
export function coordinatesOf(
  grid: ReferenceGrid,
  tile: Tile,
  transform: PointTransformation | undefined,
): Coordinates {
  if (transform === undefined) return centresOf(grid, tile);
  const size = tile.width * tile.height;
  const all = { xs: new Float64Array(size), ys: new Float64Array(size) };
  for (const block of blocksUnder(tile, grid)) {
    const { xs, ys } = centresOf(grid, block);
    transform(xs, ys);
    copyOverlap({ xs, ys }, block, all, tile);
  }
  return all;
}

function centresOf(grid: ReferenceGrid, { x, y, width, height }: Tile): Coordinates {
  const xs = new Float64Array(width * height);
  const ys = new Float64Array(width * height);
  for (let row = 0, i = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, i += 1) {
      xs[i] = grid.left + (x + column + 0.5) * grid.resX;
      ys[i] = grid.top - (y + row + 0.5) * grid.resY;
    }
  }
  return { xs, ys };
}

/** The blocks that a tile touches, cut at the edge of the grid alone. */
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
