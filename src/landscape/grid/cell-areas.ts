import type { PointTransformation } from '../../geo/raster-reader.ts';
import { createPixelAreas } from '../../geo/area/pixel-areas.ts';
import type { Tile } from '../model/tiles.ts';
import type { ReferenceGrid } from './reference-grid.ts';

/**
 * Creates a function that returns the areas of the pixels of a tile, in row-major order, in square metres; the next call overwrites them.
 */
export function createCellAreas(grid: ReferenceGrid, toEarth: PointTransformation) {
  const { width, height, left, top, resX, resY } = grid;
  const areas = createPixelAreas({ width, height, affine: [left, resX, 0, top, 0, -resY] }, toEarth);
  let kept = new Float64Array(0);
  return (tile: Tile): Float64Array => {
    const length = tile.width * tile.height;
    if (kept.length < length) kept = new Float64Array(length);
    for (let y = 0; y < tile.height; y += 1) {
      const row = kept.subarray(y * tile.width, (y + 1) * tile.width);
      areas.fillRow(tile.y + y, tile.x, row);
    }
    return kept.subarray(0, length);
  };
}
