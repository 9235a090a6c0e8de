import gdal, { type Dataset } from 'gdal-async';
import type { Problem } from '../../../lib/errors.ts';
import { rasterProblems } from '../../../messages/raster.ts';
import { imageStructureOf } from './description.ts';

/**
 * Opens a raster whose blocks are decoded by several threads; by one where bands are stored apart: to the other decoders
 * GDAL 3.6 gives the tags of the whole image, and libtiff logs for each block that they do not fit one band.
 * @throws {Problem} when the file is not a GeoTIFF that GDAL can open.
 */
export async function openSource(path: string): Promise<Dataset> {
  const source = await openTiff(path);
  const isApart = source.bands.count() > 2 && imageStructureOf(source)['INTERLEAVE'] === 'BAND';
  if (!isApart) return source;
  source.close();
  const threads = gdal.config.get('GDAL_NUM_THREADS');
  gdal.config.set('GDAL_NUM_THREADS', '1');
  try {
    return await openTiff(path);
  } finally {
    gdal.config.set('GDAL_NUM_THREADS', threads);
  }
}

async function openTiff(path: string): Promise<Dataset> {
  try {
    return await gdal.drivers.get('GTiff').openAsync(path, 'r');
  } catch (cause) {
    throw openProblem(cause).because(cause);
  }
}

function openProblem(cause: unknown): Problem {
  const reason = cause instanceof Error ? cause.message : '';
  const badTag = /Bad value [\d.e+-]{1,40} for "(\w{1,64})" tag/.exec(reason)?.[1];
  if (badTag !== undefined) return rasterProblems.badTag(badTag);
  return /codec|compression/i.test(reason) ? rasterProblems.unknownCompression() : rasterProblems.notATiff();
}
