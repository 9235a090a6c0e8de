import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { MiB } from '../../src/lib/units.ts';
import { readTiffLayout } from '../../src/geo/formats/tiff/layout.ts';
import {
  bandNumbers,
  describeDifference,
  differences,
  factDifferences,
  printed,
} from '../../src/geo/child/raster/image/description.ts';

/** The number of values of a band that are read at once. */
const maxValuesAtOnce = 4 * MiB;
/** Tolerance of geotransforms for rounding, as a share of a pixel. */
const georeferenceTolerance = 1e-6;

/**
 * Compares a raster with its COG: size, types, place, metadata, colours, nodata, scale, masks and every pixel. It shares
 * only the reader of TIFF directories with the conversion.
 * @param scratch an empty folder.
 * @returns the differences in words.
 */
export async function compareRasters(
  sourcePath: string,
  cogPath: string,
  scratch: string,
): Promise<readonly string[]> {
  // Files beside the source are not uploaded.
  gdal.config.set('GDAL_PAM_ENABLED', 'NO');
  gdal.config.set('GDAL_DISABLE_READDIR_ON_OPEN', 'EMPTY_DIR');
  const source = await gdal.openAsync(sourcePath, 'r', ['GTiff']);
  const cog = await gdal.openAsync(cogPath, 'r', ['GTiff']);
  const shapes = differences(shapeOf(source), shapeOf(cog)).map(describeDifference);
  if (shapes.length > 0) return shapes;
  const facts = [
    ...factDifferences(source, cog).map(describeDifference),
    ...georeferenceDifferences(source, cog),
  ];
  const pixels = source.bands.map((band) => band.dataType ?? '').some((type) => type.startsWith('C'))
    ? await complexDifferences(source, cog, scratch)
    : await pixelDifferences(source, cog);
  return [...facts, ...pixels, ...(await maskDifferences(source, cog))];
}

function shapeOf(dataset: Dataset) {
  const types = dataset.bands.map((band) => band.dataType).join(' ');
  return { size: dataset.rasterSize, bands: dataset.bands.count(), types };
}

function georeferenceDifferences(source: Dataset, cog: Dataset): string[] {
  const [from, to] = [source.geoTransform ?? [], cog.geoTransform ?? []];
  const pixel = Math.max(...[1, 2, 4, 5].map((index) => Math.abs(from[index] ?? 0)));
  const isClose = (value: number, index: number) =>
    Math.abs(value - (to[index] ?? Number.NaN)) <= pixel * georeferenceTolerance;
  return from.length === to.length && from.every(isClose)
    ? []
    : [`geotransform: ${printed(from)} in the source, ${printed(to)} in the COG`];
}

async function pixelDifferences(source: Dataset, cog: Dataset): Promise<string[]> {
  const found: string[] = [];
  for (const band of bandNumbers(source)) {
    const difference = await firstDifference(source.bands.get(band), cog.bands.get(band), (one, other) => {
      // Compared as bytes, because NaN values are never equal.
      const [bytes, bytesInCog] = [bytesOf(one), bytesOf(other)];
      if (bytes.equals(bytesInCog)) return -1;
      return Math.floor(bytes.findIndex((byte, at) => byte !== bytesInCog[at]) / one.BYTES_PER_ELEMENT);
    });
    if (difference !== undefined) found.push(`band ${band}, ${difference}`);
  }
  return found;
}

/** Compares masks by whether they are 0: open pixels are 1 in one-bit masks, otherwise 255. */
async function maskDifferences(source: Dataset, cog: Dataset): Promise<string[]> {
  for (const band of bandNumbers(source)) {
    const [from, to] = [source.bands.get(band).getMaskBand(), cog.bands.get(band).getMaskBand()];
    if (from === null || to === null) {
      if (from !== to) return [`mask of band ${band}: only one has it`];
      continue;
    }
    const isAlpha = (source.bands.get(band).getMaskFlags() & 0x04) !== 0;
    const difference = await firstDifference(from, to, (shut, shutInCog) =>
      shut.findIndex((value, at) =>
        isAlpha ? value !== shutInCog[at] : (value === 0) !== (shutInCog[at] === 0),
      ),
    );
    if (difference !== undefined) return [`mask of band ${band}, ${difference}`];
  }
  return [];
}

type Values = Awaited<ReturnType<RasterBand['pixels']['readAsync']>>;

/** Reads two bands row by row until `find` returns the index of a value that differs; -1 if there is none. */
async function firstDifference(
  source: RasterBand,
  cog: RasterBand,
  find: (from: Values, to: Values) => number,
): Promise<string | undefined> {
  const { x: width, y: height } = source.size;
  const maxRows = Math.max(1, Math.floor(maxValuesAtOnce / width));
  for (let y = 0; y < height; y += maxRows) {
    const rows = Math.min(maxRows, height - y);
    const from = await source.pixels.readAsync(0, y, width, rows);
    const to = await cog.pixels.readAsync(0, y, width, rows);
    const at = find(from, to);
    if (at < 0) continue;
    return `pixel ${at % width}, line ${y + Math.floor(at / width)}: ${from[at]} in the source, ${to[at]} in the COG`;
  }
  return undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The binding does not support arrays of complex numbers: both files are written without compression and their bytes compared. */
async function complexDifferences(source: Dataset, cog: Dataset, scratch: string): Promise<string[]> {
  const from = await rawDigest(source, join(scratch, 'source-raw.tif'));
  return from === (await rawDigest(cog, join(scratch, 'cog-raw.tif'))) ? [] : ['some complex pixels differ'];
}

async function rawDigest(dataset: Dataset, path: string): Promise<string> {
  const options = { INTERLEAVE: 'BAND', ENDIANNESS: 'LITTLE', BIGTIFF: 'YES' };
  (await gdal.drivers.get('GTiff').createCopyAsync(path, dataset, options)).close();
  await using file = await open(path);
  const [image] = (await readTiffLayout(file)).directories;
  const digest = createHash('sha256');
  const [start, end] = [image?.firstDataOffset ?? 0, Math.max(0, (image?.dataEnd ?? 1) - 1)];
  const stream = file.createReadStream({ start, end, autoClose: false });
  for await (const chunk of stream) digest.update(chunk);
  return digest.digest('hex');
}
