import { join } from 'node:path';
import gdal, { type Dataset } from 'gdal-async';
import type { RasterDescription } from './description.ts';
import { windowsOf } from './windows.ts';

/** GDAL's mask flags: one mask for all bands of a file. */
const perDataset = 0x02;

/**
 * A few programs store a mask once per band; the COG driver drops those. The same pixels with the one mask that the
 * bands share are written to the scratch folder then, else the source itself is returned.
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
  const [from, to] = [first.getMaskBand(), staged.bands.get(1).getMaskBand()];
  if (from === null || to === null) throw new Error('GDAL made no mask');
  for (const { x, y, width, height } of windowsOf(raster)) {
    const mask = await from.pixels.readAsync<Uint8Array>(x, y, width, height);
    await to.pixels.writeAsync(x, y, width, height, mask.map(opaque));
  }
  staged.close();
  return gdal.openAsync(path, 'r', ['GTiff']);
}

/** Masks of one bit come as 0 and 1, all others as 0 and 255. */
export function opaque(value: number): number {
  return value === 0 ? 0 : 255;
}
