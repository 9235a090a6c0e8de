import type { Dataset, RasterBand } from 'gdal-async';
import { type GdalLog, refusePixelErrors, unreadablePixels } from '../../gdal/log-file.ts';
import type { RasterWindow } from '../../raster-reader.ts';
import { areaProblems } from '../../../messages/areas/english.ts';
import { isSignedByte } from '../raster/image/description.ts';
import { readMask } from '../raster/image/pixels.ts';
import { createTupleCodes, type TupleCodes } from './tuples.ts';
import { isSmallType } from './value-codes.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** GDAL's mask flag GMF_NODATA. */
const byNoData = 0x08;

/** Reads the first bands of rasters of one grid as numbers of tuples of their values. */
export interface ClassReader extends Pick<TupleCodes, 'finish'> {
  /** Row by row; the next call may reuse the array. @throws {Problem} for unreadable pixels, and for values that are not classes. */
  read(window: RasterWindow): Promise<Uint16Array>;
}

/** @param gdalLog without earlier entries. */
export function openClasses(sources: readonly Dataset[], maxClasses: number, gdalLog: GdalLog): ClassReader {
  const bands = sources.map((source) => source.bands.get(1));
  const tuples = createTupleCodes(
    bands.map((band) => ({
      dataType: isSignedByte(band) ? 'Int8' : (band.dataType ?? 'Byte'),
      // The binding returns null for absent numbers, although its types do not say so.
      scale: band.scale ?? 1,
      offset: band.offset ?? 0,
      // GDAL's mask does not support negative values of signed bytes.
      noData: isSignedByte(band) || hasPlainHoles(band) ? (band.noDataValue ?? undefined) : undefined,
    })),
    maxClasses,
  );
  return {
    finish: () => tuples.finish(),
    async read(window) {
      const { x, y, width, height } = window;
      const pixels = [];
      for (const band of bands) {
        if (band.dataType?.startsWith('C') !== false) throw areaProblems.notClasses(maxClasses);
        try {
          const hasMask = (band.getMaskFlags() & allValid) === 0 && !hasPlainHoles(band);
          const mask = hasMask ? await readMask(band, window) : undefined;
          const values = await band.pixels.readAsync(x, y, width, height);
          pixels.push({ values: isSignedByte(band) ? Int8Array.from(values) : values, mask });
        } catch (cause) {
          throw unreadablePixels(cause);
        }
      }
      refusePixelErrors(await gdalLog.take());
      return tuples.encode(pixels, width * height);
    },
  };
}

/** Returns whether the values of a band alone identify gaps, without a mask. */
function hasPlainHoles(band: RasterBand): boolean {
  return band.getMaskFlags() === byNoData && isSmallType(band.dataType ?? '');
}
