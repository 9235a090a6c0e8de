import gdal, { type RasterBand } from 'gdal-async';
import {
  UnreadableRaster,
  type OpenRaster,
  type RasterPixels,
  type RasterReader,
  type RasterWindow,
} from '../../raster-reader.ts';
import { describeCrs, createTransformation, createPointTransformation } from '../../gdal/transformation.ts';
import { resourceErrorFrom, quietly } from '../../gdal/last-error.ts';
import { isSignedByte } from './image/description.ts';
import { earthOf, readGeoreference } from './image/georeference.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
/** Holds the blocks of a dozen rasters around one place; a caller reads each place once. */
const blockCacheMiB = 128;

/** Creates a reader of GeoTIFFs that uses GDAL in this process. */
export function createGdalRasterReader(): RasterReader {
  gdal.config.set('GDAL_CACHEMAX', String(blockCacheMiB));
  // With one thread, a block that cannot be decoded is an error of the call that requests it.
  gdal.config.set('GDAL_NUM_THREADS', '1');
  // Reused, because arrays of megabytes are expensive to allocate and to collect.
  let kept = new Float64Array(0);
  const make = (length: number) => {
    if (kept.length < length) kept = new Float64Array(length);
    return kept.subarray(0, length);
  };
  return {
    open: (path) => open(path, make),
    transformation(from, to) {
      // Local and geocentric coordinates are not places on a map.
      if (from.kind === 'other' || to.kind === 'other') return undefined;
      return quietly(() => createPointTransformation(createTransformation(from, to)));
    },
    earthOf: ({ kind, wkt }) => (kind === 'other' ? undefined : quietly(() => earthOf(wkt))),
    isSameCrs: (one, other) =>
      one.wkt === other.wkt ||
      gdal.SpatialReference.fromWKT(one.wkt).isSame(gdal.SpatialReference.fromWKT(other.wkt)),
  };
}

async function open(path: string, make: (length: number) => Float64Array): Promise<OpenRaster> {
  const opening = gdal.drivers.get('GTiff').openAsync(path, 'r');
  const dataset = await opening.catch((error: unknown) => {
    throw unreadable(error);
  });
  const band = dataset.bands.count() > 0 ? dataset.bands.get(1) : undefined;
  if (band === undefined || band.dataType === null || band.dataType.startsWith('C')) {
    dataset.close();
    throw new UnreadableRaster('there is no band of real numbers');
  }
  const { width, height, isPlaced, affine, nativeWkt } = readGeoreference(dataset);
  const crs = nativeWkt === undefined ? undefined : describeCrs(nativeWkt);
  return {
    facts: { width, height, affine: isPlaced ? affine : undefined, crs },
    read: (window) => read(band, window, make(window.width * window.height)),
    [Symbol.dispose]: () => dataset.close(),
  };
}

async function read(band: RasterBand, window: RasterWindow, values: Float64Array): Promise<RasterPixels> {
  const { x, y, width, height } = window;
  try {
    await band.pixels.readAsync(x, y, width, height, values);
    const flags = band.getMaskFlags();
    let mask =
      (flags & allValid) === 0
        ? await band.getMaskBand()?.pixels.readAsync<Uint8Array>(x, y, width, height)
        : undefined;
    if (isSignedByte(band)) mask = restoreSigns(values, band.noDataValue, mask);
    applyScale(values, band);
    return { values, mask };
  } catch (error) {
    throw unreadable(error);
  }
}

/** Restores signed bytes that were read as unsigned; GDAL's mask does not support a negative nodata value. */
function restoreSigns(
  values: Float64Array,
  noData: number | null | undefined,
  mask: Uint8Array = new Uint8Array(values.length).fill(1),
): Uint8Array {
  for (let i = 0; i < values.length; i += 1) {
    const byte = values[i] ?? 0;
    const value = byte > 127 ? byte - 256 : byte;
    values[i] = value;
    if (value === noData) mask[i] = 0;
  }
  return mask;
}

function applyScale(values: Float64Array, band: RasterBand): void {
  // The binding returns null for absent numbers, although its types do not say so.
  const [scale, offset] = [band.scale ?? 1, band.offset ?? 0];
  if (scale === 1 && offset === 0) return;
  for (let i = 0; i < values.length; i += 1) values[i] = (values[i] ?? 0) * scale + offset;
}

function unreadable(error: unknown): unknown {
  const meant = resourceErrorFrom(error);
  return meant === error ? new UnreadableRaster('GDAL cannot read the raster', { cause: error }) : meant;
}
