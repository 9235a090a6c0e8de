import type { PointTransformation, RasterCrs } from '../../geo/raster-reader.ts';
import { createPixelAreas } from '../../geo/area/pixel-areas.ts';
import type { Tile } from '../model/tiles.ts';
import type { ReferenceGrid } from './reference-grid.ts';

/** Longitude and latitude on WGS 84. */
export const wgs84: RasterCrs = {
  wkt: 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]]',
  kind: 'geographic',
  unit: 1,
};

/** Creates what returns the areas of the pixels of a tile, row by row, in square metres on WGS 84; the next call fills them again. */
export function createCellAreas(grid: ReferenceGrid, toWgs84: PointTransformation) {
  const { width, height, left, top, resX, resY } = grid;
  const areas = createPixelAreas({ width, height, affine: [left, resX, 0, top, 0, -resY] }, toWgs84);
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
