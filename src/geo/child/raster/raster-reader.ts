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

/** GDAL's mask flags GMF_ALL_VALID and GMF_NODATA. */
const [allValid, byNoData] = [0x01, 0x08];
/** Holds the blocks of a dozen rasters around one place; a caller reads each place once. */
const blockCacheMiB = 128;

/** Creates a reader of GeoTIFFs that uses GDAL in this process. */
export function createGdalRasterReader(): RasterReader {
  gdal.config.set('GDAL_CACHEMAX', String(blockCacheMiB));
  // With one thread, a block that cannot be decoded is an error of the call that requests it.
  gdal.config.set('GDAL_NUM_THREADS', '1');
  // Reused, because arrays of megabytes are expensive to allocate and to collect.
  let [values, mask] = [new Float64Array(0), new Uint8Array(0)];
  const room: Room = {
    values(length) {
      if (values.length < length) values = new Float64Array(length);
      return values.subarray(0, length);
    },
    mask(length) {
      if (mask.length < length) mask = new Uint8Array(length);
      return mask.subarray(0, length);
    },
  };
  return {
    open: (path) => open(path, room),
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

/** Arrays for the pixels of a window, with the contents of earlier ones. */
interface Room {
  values(length: number): Float64Array;
  mask(length: number): Uint8Array;
}

async function open(path: string, room: Room): Promise<OpenRaster> {
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
    read: (window) => read(band, window, room),
    [Symbol.dispose]: () => dataset.close(),
  };
}

async function read(band: RasterBand, window: RasterWindow, room: Room): Promise<RasterPixels> {
  const { x, y, width, height } = window;
  const values = room.values(width * height);
  try {
    await band.pixels.readAsync(x, y, width, height, values);
    const flags = band.getMaskFlags();
    const missing = flags === byNoData ? rangeOfNoData(band) : undefined;
    let mask =
      missing !== undefined
        ? maskOf(values, missing, room.mask(values.length))
        : (flags & allValid) === 0
          ? await band.getMaskBand()?.pixels.readAsync<Uint8Array>(x, y, width, height)
          : undefined;
    if (isSignedByte(band)) mask = restoreSigns(values, band.noDataValue, mask);
    applyScale(values, band);
    return { values, mask };
  } catch (error) {
    throw unreadable(error);
  }
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** Differences of floats up to this many units of the last place are ignored by GDAL. */
const mostUnits = 8;

/** Returns the floats that GDAL regards as the nodata value of a band, which spares reading them again as a mask; undefined if only GDAL knows. */
function rangeOfNoData({ dataType, noDataValue: noData }: RasterBand): Range | undefined {
  if (dataType !== 'Float32' || noData === null || !Number.isFinite(noData) || Math.fround(noData) !== noData)
    return undefined;
  const bits = new Int32Array(1);
  const float = new Float32Array(bits.buffer);
  const farthest = (direction: 1 | -1): number => {
    let found = noData;
    for (let unit = 1; unit <= mostUnits; unit += 1) {
      float[0] = noData;
      bits[0] = (bits[0] ?? 0) + direction * unit;
      const value = float[0] ?? NaN;
      if (!isNoData(value, noData)) break;
      found = value;
    }
    return found;
  };
  const ends = [farthest(1), farthest(-1)];
  return { least: Math.min(...ends), most: Math.max(...ends) };
}

/** ARE_REAL_EQUAL of GDAL, in single precision. */
function isNoData(value: number, noData: number): boolean {
  const difference = Math.fround(Math.abs(Math.fround(value - noData)));
  const size = Math.fround(2 ** -23 * Math.abs(Math.fround(value + noData)));
  return value === noData || difference < Math.fround(size * 2);
}

function maskOf(values: Float64Array, { least, most }: Range, mask: Uint8Array): Uint8Array {
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    mask[i] = value >= least && value <= most ? 0 : 255;
  }
  return mask;
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
