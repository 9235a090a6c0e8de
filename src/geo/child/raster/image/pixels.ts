import { crc32 } from 'node:zlib';
import gdal, { type Dataset, type RasterBand, type TypedArray } from 'gdal-async';
import { Problem } from '../../../../lib/errors.ts';
import { MiB } from '../../../../lib/units.ts';
import { rasterProblems } from '../../../../messages/raster/english.ts';
import type { RasterWindow } from '../../../raster-reader.ts';
import { createValueSurvey, isAlwaysClasses, mayHoldClasses } from './cog-options.ts';
import type { RasterDescription } from './description.ts';
import { untold } from '../../../gdal/progress.ts';
import { refusePixelErrors, unreadablePixels, type GdalLog } from '../../../gdal/log-file.ts';

/** Values of all bands in one window. */
export const maxWindowValues = 4 * MiB;

/**
 * Covers a raster with windows of bounded size that follow its blocks, so that no block is decoded twice; windows at
 * the right and lower edge are smaller.
 */
export function* windowsOf(
  raster: Omit<RasterDescription, 'bands' | 'hasMask'> & { readonly bands: { readonly length: number } },
): Generator<RasterWindow> {
  const maxPixels = Math.max(1, Math.floor(maxWindowValues / raster.bands.length));
  const blockHeight = Math.min(raster.blockHeight, raster.height, maxPixels);
  const blockWidth = Math.min(raster.blockWidth, raster.width, Math.floor(maxPixels / blockHeight));
  const width = Math.min(
    raster.width,
    blockWidth * Math.max(1, Math.floor(maxPixels / blockHeight / blockWidth)),
  );
  // Only windows of the raster's full width may span several rows of blocks without splitting blocks.
  const rows = width === raster.width ? Math.max(1, Math.floor(maxPixels / width / blockHeight)) : 1;
  const height = Math.min(raster.height, rows * blockHeight);
  for (let y = 0; y < raster.height; y += height) {
    for (let x = 0; x < raster.width; x += width) {
      yield { x, y, width: Math.min(width, raster.width - x), height: Math.min(height, raster.height - y) };
    }
  }
}

/** Kind of the values in a band. */
export interface SurveyedBand {
  /** True if they look like classes. */
  readonly areClasses: boolean;
  /** Distinct values, for classes only; undefined if there are too many. */
  readonly values: ReadonlySet<number> | undefined;
}

/**
 * Reads every pixel of a raster once, window by window.
 * @param gdalLog without earlier entries.
 * @throws {Problem} if a pixel cannot be read, or bands have different masks.
 */
export async function surveyPixels(
  dataset: Dataset,
  raster: RasterDescription,
  gdalLog: GdalLog,
  tell = untold,
) {
  /** One per window and band, and one per window of a mask, in reading order: equal pixels give equal digests. */
  const digests: number[] = [];
  const values = raster.bands.map((band, index) =>
    mayHoldClasses(band) || isAlwaysClasses(band)
      ? createValueSurvey(dataset.bands.get(index + 1).noDataValue ?? undefined)
      : undefined,
  );
  const pixels = raster.width * raster.height;
  const read = createWindowReader();
  for (const window of windowsOf(raster)) {
    const masks = new Set<number>();
    for (const [index, { dataType }] of raster.bands.entries()) {
      const band = dataset.bands.get(index + 1);
      const seen = await refuseUnreadable(read(band, window, dataType));
      digests.push(seen.digest);
      if (seen.values !== undefined) values[index]?.look(seen.values);
      if (raster.hasMask) masks.add(crc32((await refuseUnreadable(readMask(band, window))) ?? ''));
    }
    if (masks.size > 1) throw rasterProblems.differentMasks();
    digests.push(...masks);
    refusePixelErrors(await gdalLog.take());
    tell((window.y * raster.width + (window.x + window.width) * window.height) / pixels);
  }
  const bands = raster.bands.map((band, index): SurveyedBand => {
    const survey = values[index];
    const areClasses = isAlwaysClasses(band) || survey?.areClasses() === true;
    return { areClasses, values: areClasses ? survey?.values() : undefined };
  });
  return { digests, bands, classLike: bands.map(({ areClasses }) => areClasses) };
}

/** Reads the mask of a band as 0 or 255, also if GDAL uses 1; undefined for none. */
export async function readMask(
  band: RasterBand,
  { x, y, width, height }: RasterWindow,
): Promise<Uint8Array | undefined> {
  const mask = await band.getMaskBand()?.pixels.readAsync<Uint8Array>(x, y, width, height);
  return mask?.map((value) => (value === 0 ? 0 : 255));
}

type WindowValues = TypedArray | TypedArray<bigint>;

/**
 * Creates a reader of windows, whose `values` are valid until the next read of a band of the same type, because arrays
 * of megabytes are expensive to allocate and to collect. The binding has no arrays for complex numbers.
 */
function createWindowReader() {
  const kept = new Map<string, WindowValues>();
  return async (
    band: RasterBand,
    { x, y, width, height }: RasterWindow,
    dataType: string,
  ): Promise<{ readonly digest: number; readonly values?: WindowValues }> => {
    if (dataType.startsWith('C')) return { digest: await gdal.checksumImageAsync(band, x, y, width, height) };
    const room = kept.get(dataType);
    const length = width * height;
    const values = await (room === undefined || room.length < length
      ? band.pixels.readAsync(x, y, width, height)
      : band.pixels.readAsync(x, y, width, height, room.subarray(0, length)));
    if (values.length > (room?.length ?? 0)) kept.set(dataType, values);
    return { digest: crc32(new Uint8Array(values.buffer, values.byteOffset, values.byteLength)), values };
  };
}

/** Reads the first block of a band. @throws {Problem} if GDAL cannot. */
export async function readFirstBlock(band: RasterBand): Promise<void> {
  const { x: width, y: height } = band.size;
  const { x: blockWidth, y: blockHeight } = band.blockSize;
  const block = { x: 0, y: 0, width: Math.min(width, blockWidth), height: Math.min(height, blockHeight) };
  await refuseUnreadable(createWindowReader()(band, block, band.dataType ?? 'Byte'));
}

/** @throws {Problem} if GDAL cannot read the pixels. */
const refuseUnreadable = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((cause: unknown) => {
    throw unreadablePixels(cause);
  });

/**
 * Reads all overviews; returns false if one of them is damaged.
 * @param gdalLog without earlier entries.
 */
export async function overviewsReadable(dataset: Dataset, gdalLog: GdalLog): Promise<boolean> {
  const read = createWindowReader();
  try {
    for (const band of dataset.bands) {
      for (const overview of band.overviews) {
        const { x: width, y: height } = overview.size;
        const { x: blockWidth, y: blockHeight } = overview.blockSize;
        for (const window of windowsOf({ width, height, blockWidth, blockHeight, bands: [overview] })) {
          await refuseUnreadable(read(overview, window, overview.dataType ?? 'Byte'));
          refusePixelErrors(await gdalLog.take());
        }
      }
    }
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
