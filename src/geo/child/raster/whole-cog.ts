import { open } from 'node:fs/promises';
import type { Dataset, RasterBand } from 'gdal-async';
import { Problem } from '../../../lib/errors.ts';
import { isDeflatedThroughout } from '../../formats/tiff/deflate-check.ts';
import type { RasterDescription } from './description.ts';
import type { GdalLog } from './gdal-log.ts';
import { readFirstBlock } from './pixels.ts';

/**
 * Tells whether a COG is known to be sound by the checksums of its blocks, overviews too: to inflate them is half of the work
 * of reading them with GDAL, which decodes only the first block of each band and overview, to show that it can.
 * @returns false when a block is damaged, and for a COG that has to be read with GDAL to be known: one with blocks that are not
 *   deflated or not there, or with a mask.
 * @throws {BrokenTiff} when the file cannot be walked.
 */
export async function isWholeCog(
  path: string,
  cog: Dataset,
  { hasMask }: RasterDescription,
  gdalLog: GdalLog,
): Promise<boolean> {
  if (hasMask) return false;
  await using file = await open(path);
  return (await isDeflatedThroughout(file)) && (await canDecode(cog, gdalLog));
}

async function canDecode(cog: Dataset, gdalLog: GdalLog): Promise<boolean> {
  await gdalLog.take();
  try {
    for (const band of cog.bands) {
      const images: RasterBand[] = [band, ...band.overviews];
      for (const image of images) await readFirstBlock(image);
    }
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
  return (await gdalLog.take()).length === 0;
}
