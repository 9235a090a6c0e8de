import { open } from 'node:fs/promises';
import { readImage } from '../../formats/tiff/image.ts';
import { findPlacedImage } from '../../formats/tiff/placed-image.ts';
import { BrokenTiff, openTiff, readDirectory } from '../../formats/tiff/walk.ts';
import { NeedsTime } from '../../gdal/progress.ts';
import { maxRasterValues } from '../../child-program.ts';

/**
 * Requests time for rasters with more values than granted. A broken TIFF, or one above the maximum, needs none: it will be refused.
 * @throws {NeedsTime}
 */
export async function askForTime(paths: readonly string[], grantedValues: number): Promise<void> {
  let values = 0;
  for (const path of paths) values += await valuesOf(path);
  if (values > grantedValues) throw new NeedsTime(values);
}

/** Returns the number of values of the image that is read. */
async function valuesOf(path: string): Promise<number> {
  await using file = await open(path);
  try {
    const tiff = await openTiff(file);
    const placed = await findPlacedImage(file);
    const image = await readImage(placed?.directory ?? (await readDirectory(tiff, tiff.firstDirectory)));
    const values = image === undefined ? 0 : image.width * image.height * image.bands;
    return values > maxRasterValues ? 0 : values;
  } catch (error) {
    if (error instanceof BrokenTiff) return 0;
    throw error;
  }
}
