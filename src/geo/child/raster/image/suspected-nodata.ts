import gdal, { type Dataset, type RasterBand } from 'gdal-async';
import { rasterWarnings, type SuspectedNoData } from '../../../../messages/raster/english.ts';
import type { FindingsCollector } from '../../../gather-findings.ts';
import { isSignedByte, type RasterDescription } from './description.ts';
import { join } from 'node:path';
import { readMask, windowsOf } from './pixels.ts';

/** GDAL's mask flag GMF_ALL_VALID. */
const allValid = 0x01;
const greatestFloat = 3.402_823_466_385_288_6e38;
/** Values that programs write for no data. */
const usual: readonly number[] = [-32_768, -9999, -99_999, -greatestFloat];
/** Minimum values of signed types, which programs also write for no data. */
const leastOf: Readonly<Record<string, number>> = {
  Int8: -128,
  Int16: -32_768,
  Int32: -2_147_483_648,
  Float32: -greatestFloat,
  Float64: -Number.MAX_VALUE,
};
const suspicious = 0.5;

/** Smaller rasters are examined completely; larger ones in this many squares per side. */
const maxPixels = 1_048_576;
const squares = 8;
const squareSide = 64;
const maxBands = 32;

/** Warns of a raster with an undeclared no-data value: half or more of its pixels have a value that often means no data. */
export async function warnOfSuspectedNoData(findings: FindingsCollector, dataset: Dataset): Promise<void> {
  const count = dataset.bands.count();
  const suspects: SuspectedNoData[] = [];
  for (let number = 1; number <= Math.min(count, maxBands); number += 1) {
    const found = await suspectOf(dataset.bands.get(number));
    if (found !== undefined) suspects.push({ ...found, band: count === 1 ? undefined : number });
  }
  if (suspects.length > 0) findings.warn('nodata_suspected', rasterWarnings.noDataSuspected(suspects));
}

async function suspectOf(band: RasterBand): Promise<Pick<SuspectedNoData, 'value' | 'percent'> | undefined> {
  const type = isSignedByte(band) ? 'Int8' : (band.dataType ?? 'Byte');
  const least = leastOf[type];
  if (least === undefined || (band.getMaskFlags() & allValid) === 0) return undefined;
  const suspects = [...new Set([least, ...usual])];
  const counts = suspects.map(() => 0);
  let pixels = 0;
  for (const { x, y, width, height } of squaresOf(band.size)) {
    const values: ArrayLike<number | bigint> = await band.pixels.readAsync(x, y, width, height);
    pixels += values.length;
    for (let at = 0; at < values.length; at += 1) {
      const sample = Number(values[at]);
      const value = meantBy(sample, type);
      if (value > -100) continue;
      const index = suspects.indexOf(value);
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  const most = Math.max(...counts);
  const value = suspects[counts.indexOf(most)];
  if (value === undefined || pixels === 0 || most < pixels * suspicious) return undefined;
  return { value, percent: Math.floor((most / pixels) * 100) };
}

/** GDAL 3.6 reads signed bytes as unsigned; programs may write the least float with fewer digits. */
function meantBy(sample: number, type: string): number {
  if (type === 'Int8') return sample > 127 ? sample - 256 : sample;
  return sample < -3.402e38 && sample > -3.403e38 ? -greatestFloat : sample;
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the examined parts of a raster: all of a small one, otherwise equidistant squares. */
function squaresOf({ x: width, y: height }: RasterBand['size']): readonly Square[] {
  if (width * height <= maxPixels) return [{ x: 0, y: 0, width, height }];
  const side = { width: Math.min(width, squareSide), height: Math.min(height, squareSide) };
  const placesOf = (whole: number, part: number) => [
    ...new Set(
      Array.from({ length: squares }, (_, index) => Math.floor(((index + 0.5) * whole) / squares - part / 2)),
    ),
  ];
  const inside = (at: number, whole: number, part: number) => Math.min(Math.max(0, at), whole - part);
  return placesOf(height, side.height).flatMap((y) =>
    placesOf(width, side.width).map((x) => ({
      x: inside(x, width, side.width),
      y: inside(y, height, side.height),
      ...side,
    })),
  );
}

/** GDAL's mask flags: one mask for all bands of a file. */
const perDataset = 0x02;

/**
 * Merges the masks of a raster with one mask per band, which few programs write, into the single shared mask that the COG driver keeps.
 * @returns a copy in the scratch folder; the source itself if it needs none.
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
  const shared = staged.bands.get(1).getMaskBand();
  for (const window of windowsOf(raster)) {
    const mask = await readMask(first, window);
    if (shared === null || mask === undefined) throw new Error('GDAL made no mask');
    await shared.pixels.writeAsync(window.x, window.y, window.width, window.height, mask);
  }
  staged.close();
  return gdal.openAsync(path, 'r', ['GTiff']);
}
