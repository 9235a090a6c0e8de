import { crc32 } from 'node:zlib';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { Problem } from '../../../common/errors.ts';
import { createValueSurvey } from './class-likeness.ts';
import { isAlwaysClasses, mayHoldClasses } from './cog-options.ts';
import { refuseComplaints, unreadablePixels, type Complaints } from './gdal-log.ts';
import type { RasterDescription } from './description.ts';
import { opaque } from './shared-mask.ts';
import { windowsOf, type Window } from './windows.ts';

/** GDAL's mask flags (GMF_*): all pixels valid, an alpha band, a nodata value. Anything else is a mask of its own. */
const noOwnMask = 0x01 | 0x04 | 0x08;

/** What a look at the headers tells. */
export function describeRaster(dataset: Dataset): RasterDescription {
  const { x: width, y: height } = dataset.rasterSize;
  const bands = dataset.bands.map((band) => band);
  const blockSize = bands[0]?.blockSize ?? { x: width, y: height };
  return {
    width,
    height,
    blockWidth: blockSize.x,
    blockHeight: blockSize.y,
    bands: bands.map((band) => ({
      dataType: dataTypeOf(band),
      // The binding's types promise null, it says undefined.
      hasPalette: (band.colorTable ?? undefined) !== undefined,
      colorInterpretation: band.colorInterpretation ?? undefined,
      bits: bitsOf(band),
    })),
    hasMask: bands.some((band) => (band.getMaskFlags() & noOwnMask) === 0),
  };
}

/** GDAL before 3.7 has no type for signed bytes and keeps the sign beside. */
function dataTypeOf(band: RasterBand): string {
  const structure: Record<string, string> = band.getMetadata('IMAGE_STRUCTURE');
  return structure['PIXELTYPE'] === 'SIGNEDBYTE' ? 'Int8' : (band.dataType ?? 'Byte');
}

function bitsOf(band: RasterBand): number | undefined {
  const structure: Record<string, string> = band.getMetadata('IMAGE_STRUCTURE');
  return structure['NBITS'] === undefined ? undefined : Number(structure['NBITS']);
}

export interface PixelSurvey {
  /** One number per window and band and one per window of a mask, in the order of reading: equal pixels, equal digests. */
  readonly digests: readonly number[];
  readonly classLike: readonly boolean[];
}

/**
 * Reads every pixel of a raster once, window by window.
 * @throws {Problem} when a pixel can not be read.
 */
export async function surveyPixels(
  dataset: Dataset,
  raster: RasterDescription,
  complaints: Complaints,
): Promise<PixelSurvey> {
  const digests: number[] = [];
  const values = raster.bands.map((band, index) =>
    mayHoldClasses(band) && !isAlwaysClasses(band)
      ? createValueSurvey(dataset.bands.get(index + 1).noDataValue ?? undefined)
      : undefined,
  );
  // What was said before is not about pixels.
  await complaints.take();
  for (const window of windowsOf(raster)) {
    const masks = new Set<number>();
    for (const [index, { dataType }] of raster.bands.entries()) {
      const band = dataset.bands.get(index + 1);
      const seen = values[index];
      const pixels = await readWindow(band, window, dataType);
      digests.push(pixels.digest);
      if (pixels.values !== undefined) seen?.look(pixels.values);
      if (raster.hasMask) masks.add(await maskDigest(band, window));
    }
    if (masks.size > 1) throw differentMasks();
    digests.push(...masks);
    refuseComplaints(await complaints.take());
  }
  const classLike = raster.bands.map(
    (band, index) => isAlwaysClasses(band) || values[index]?.areClasses() === true,
  );
  return { digests, classLike };
}

async function maskDigest(band: RasterBand, window: Window): Promise<number> {
  try {
    const { x, y, width, height } = window;
    const mask = await band.getMaskBand()?.pixels.readAsync<Uint8Array>(x, y, width, height);
    return mask === undefined ? 0 : crc32(mask.map(opaque));
  } catch (cause) {
    throw unreadablePixels(cause);
  }
}

function differentMasks(): Problem {
  return new Problem(
    'invalid',
    'The bands of the raster have different masks, which a Cloud-Optimized GeoTIFF can not hold; save it with one mask for all bands, or with a nodata value.',
  );
}

interface WindowPixels {
  readonly digest: number;
  /** Absent for complex numbers. */
  readonly values: ArrayLike<number | bigint> | undefined;
}

async function readWindow(band: RasterBand, window: Window, dataType: string): Promise<WindowPixels> {
  const { x, y, width, height } = window;
  try {
    // The binding has no arrays for complex numbers.
    if (dataType.startsWith('C')) {
      return { digest: await gdal.checksumImageAsync(band, x, y, width, height), values: undefined };
    }
    const values = await band.pixels.readAsync(x, y, width, height);
    return { digest: crc32(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)), values };
  } catch (cause) {
    throw unreadablePixels(cause);
  }
}

/** Reads all overviews; false when one of them is damaged. */
export async function overviewsReadable(dataset: Dataset, complaints: Complaints): Promise<boolean> {
  await complaints.take();
  for (const band of dataset.bands) {
    for (const overview of band.overviews) {
      const { x: width, y: height } = overview.size;
      const { x: blockWidth, y: blockHeight } = overview.blockSize;
      for (const window of windowsOf({ width, height, blockWidth, blockHeight, bands: [overview] })) {
        try {
          await readWindow(overview, window, overview.dataType ?? 'Byte');
          refuseComplaints(await complaints.take());
        } catch (error) {
          if (error instanceof Problem) return false;
          throw error;
        }
      }
    }
  }
  return true;
}
