import type { PointTransformation } from '../../geo/raster-reader.ts';
import type { ReferenceGrid } from './reference-grid.ts';
import type { Tile } from '../model/tiles.ts';
import { centresOf, type Coordinates, transformBlock } from './transform-block.ts';

/** Blocks are fixed on the grid: no coordinate depends on the tile that it is found for. */
const blockSide = 64;

/** Finds the pixel centres of a tile, row by row, in the CRS that `transform` leads to, or in that of the grid. */
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
