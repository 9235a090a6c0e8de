import { join } from 'node:path';
import gdal from 'gdal-async';
import { openGdalLog, watchWrites } from '../../../../geo/gdal/log-file.ts';
import { createStage } from '../../../../geo/gdal/progress.ts';
import { classNoData, floatNoData } from '../../../model/bands.ts';
import type { ReferenceGrid } from '../../../grid/reference-grid.ts';
import type { Tile } from '../../../model/tiles.ts';

/** The raster that is made. */
export interface Target {
  readonly isClasses: boolean;
  readonly noData: number;
  /** Number of pixels with a value, so far. */
  valid(): number;
  /** Writes full rows of blocks, or single tiles. */
  write(tile: Tile, values: Float32Array | Uint8Array): Promise<void>;
}

/** The side of the tiles in the file. */
export const blockSide = 256;
const noDataOf = (isClasses: boolean) => (isClasses ? classNoData : floatNoData);

/** Writes a GeoTIFF on a grid. The COG of the dataset is made from it, so that it is compressed quickly rather than well. @returns its path */
export async function writeRaster(
  grid: ReferenceGrid,
  { isClasses, folder }: { readonly isClasses: boolean; readonly folder: string },
  fill: (target: Target) => Promise<void>,
): Promise<string> {
  const path = join(folder, 'made.tif');
  const noData = noDataOf(isClasses);
  const pixels = grid.width * grid.height;
  const tell = createStage(0, 1);
  let [valid, written] = [0, 0];
  await watchWrites(await openGdalLog(folder), async () => {
    const dataset = gdal.drivers
      .get('GTiff')
      .create(path, grid.width, grid.height, 1, isClasses ? gdal.GDT_Byte : gdal.GDT_Float32, {
        TILED: 'YES',
        BLOCKXSIZE: String(blockSide),
        BLOCKYSIZE: String(blockSide),
        COMPRESS: 'DEFLATE',
        ZLEVEL: '1',
        BIGTIFF: 'IF_SAFER',
        NUM_THREADS: '2',
      });
    dataset.srs = gdal.SpatialReference.fromWKT(grid.wkt);
    dataset.geoTransform = [grid.left, grid.resX, 0, grid.top, 0, -grid.resY];
    const band = dataset.bands.get(1);
    band.noDataValue = noData;
    await fill({
      isClasses,
      noData,
      valid: () => valid,
      async write({ x, y, width, height }, values) {
        for (let i = 0; i < values.length; i += 1) if (values[i] !== noData) valid += 1;
        await band.pixels.writeAsync(x, y, width, height, values);
        written += width * height;
        tell(written / pixels);
      },
    });
    dataset.flush();
    dataset.close();
  });
  return path;
}

const mostBandPixels = 2 ** 21;

/** Yields bands of full rows, each a multiple of a block high, that need at most so many bytes per pixel at once. */
export function* bandsOf(
  { width, height }: Pick<ReferenceGrid, 'width' | 'height'>,
  bytesPerPixel: number,
): Generator<Tile> {
  const most = Math.min(mostBandPixels, (64 * 2 ** 20) / bytesPerPixel);
  const rows = Math.max(1, Math.floor(most / width));
  const step = rows > blockSide ? rows - (rows % blockSide) : rows;
  for (let y = 0; y < height; y += step) yield { x: 0, y, width, height: Math.min(step, height - y) };
}
