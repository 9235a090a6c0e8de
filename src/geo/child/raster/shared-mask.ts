import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { RasterDescription } from './description.ts';
import { readMask, windowsOf } from './pixels.ts';

/** GDAL's mask flags: one mask for all bands of a file. */
const perDataset = 0x02;

/**
 * Gives a raster that stores one mask per band, as a few programs do, the one shared mask that the COG driver keeps.
 * @returns a copy in the scratch folder; the source itself when it needs none.
 */
export async function withSharedMask(
  source: Dataset,
  raster: RasterDescription,
  scratch: string,
): Promise<Dataset> {
  const first = source.bands.get(1);
  if (!raster.hasMask || (first.getMaskFlags() & perDataset) !== 0) return source;
  gdal.config.set('GDAL_TIFF_INTERNAL_MASK', 'YES');
  const path = join(scratch, 'masked.tif');
  const options = { TILED: 'YES', COMPRESS: 'DEFLATE', BIGTIFF: 'IF_SAFER' };
  const staged = await gdal.drivers.get('GTiff').createCopyAsync(path, source, options);
  staged.bands.get(1).createMaskBand(perDataset);
  const shared = staged.bands.get(1).getMaskBand();
  for (const window of windowsOf(raster)) {
    const mask = await readMask(first, window);
    if (shared === null || mask === undefined) throw new Error('GDAL made no mask');
    await shared.pixels.writeAsync(window.x, window.y, window.width, window.height, mask);
  }
  staged.close();
  return gdal.openAsync(path, 'r', ['GTiff']);
}
