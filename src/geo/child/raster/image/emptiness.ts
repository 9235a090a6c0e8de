import type { Dataset, RasterBand } from 'gdal-async';
import type { RasterWindow } from '../../../raster-reader.ts';
import type { RasterDescription } from './description.ts';
import { readMask, windowsOf } from './pixels.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** Larger overviews are not checked first. */
const maxGlance = 1_048_576;

/**
 * Returns whether any pixel of a sound raster has a value. The search ends at the first one: an empty raster is read
 * completely, any other mostly in its coarsest overview or its first window.
 */
export async function hasValues(dataset: Dataset, raster: RasterDescription): Promise<boolean> {
  // The binding has no arrays for complex numbers.
  if (raster.bands.some(({ dataType }) => dataType.startsWith('C'))) return true;
  const bands = dataset.bands.map((band) => band).filter((band) => band.colorInterpretation !== 'Alpha');
  for (const band of bands) if (await glance(band)) return true;
  for (const window of windowsOf({ ...raster, bands: { length: 1 } })) {
    for (const band of bands) if (await hasValueIn(band, band, window)) return true;
  }
  return false;
}

/** An overview without values may have lost a few. */
async function glance(band: RasterBand): Promise<boolean> {
  const count = band.overviews.count();
  if (count === 0) return false;
  const coarsest = band.overviews.get(count - 1);
  const { x: width, y: height } = coarsest.size;
  return width * height <= maxGlance && (await hasValueIn(coarsest, band, { x: 0, y: 0, width, height }));
}

/** @param of the band that defines the nodata value. */
async function hasValueIn(image: RasterBand, of: RasterBand, window: RasterWindow): Promise<boolean> {
  const values: ArrayLike<number | bigint> = await image.pixels.readAsync(
    window.x,
    window.y,
    window.width,
    window.height,
  );
  const mask = (of.getMaskFlags() & allValid) === 0 ? await readMask(image, window) : undefined;
  const { noDataValue: noData } = of;
  for (let at = 0; at < values.length; at += 1) {
    const value = Number(values[at]);
    if (mask?.[at] !== 0 && !Number.isNaN(value) && value !== noData) return true;
  }
  return false;
}
