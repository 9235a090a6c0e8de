import { open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { isMissing } from '../../../common/error-facts.ts';
import type { Problem } from '../../../common/errors.ts';
import { ResourceError } from '../../../common/resource-error.ts';
import { KiB } from '../../../common/units.ts';
import { rasterProblems } from '../../../messages/raster.ts';
import { isOutOfMemory, resourceErrorFrom } from '../../gdal/gdal-faults.ts';

/** The errors and warnings that GDAL logs beside the results of its calls. */
export type GdalLog = Awaited<ReturnType<typeof openGdalLog>>;

/** A file that was damaged on purpose must not fill the memory; one entry is enough to refuse it. */
const maxBytesAtOnce = 64 * KiB;

/**
 * Has GDAL write its log into the scratch folder. GDAL fills pixels that it cannot decode with zeros or grey and reports
 * success (JPEG cut short, fax lines, blocks behind the end when several threads read): only its log tells.
 */
export async function openGdalLog(scratch: string) {
  // GDAL opens its log once in the life of a process.
  const path = gdal.config.get('CPL_LOG') ?? join(scratch, 'gdal.log');
  gdal.config.set('CPL_LOG', path);
  gdal.config.set('CPL_MAX_ERROR_REPORTS', '100000');
  gdal.verbose();
  let position = 0;
  /** Returns the entries since the last call, one a line. */
  const take = async (): Promise<readonly string[]> => {
    try {
      await using file = await open(path);
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.min(size - position, maxBytesAtOnce));
      await file.read(bytes, 0, bytes.length, position);
      position = size;
      const lines = bytes.toString().split('\n');
      return lines.filter((line) => /^(ERROR|FATAL|Warning) /.test(line));
    } catch (error) {
      // GDAL creates the file with the first entry.
      if (isMissing(error)) return [];
      throw error;
    }
  };
  await take();
  return { take };
}

/** @throws {Problem} when opening the file has lost some of its metadata: place, nodata, colours, … */
export function refuseLostTags(entries: readonly string[]): void {
  // GDAL opens a file without the tags whose values lie behind its end.
  const lost = entries.find((line) => line.includes('IO error during reading of'));
  if (lost !== undefined) throw rasterProblems.unreadable('tags', isOutOfMemory(lost)).because(lost);
}

/** @throws {Problem} when reading pixels has left any entry: a sound file leaves none. */
export function refusePixelErrors([first]: readonly string[]): void {
  if (first !== undefined) throw unreadablePixels(first);
}

/** Returns the problem of pixels that are not what was once written. */
export function unreadablePixels(cause: unknown): Problem {
  return rasterProblems.unreadable('pixels', isOutOfMemory(cause)).because(cause);
}

/**
 * Runs what writes a file with GDAL, which reports a full disk in unexpected words, or only at closing, as a success.
 * @throws {ResourceError} when the disk did not take what was written, else what `write` throws.
 */
export async function watchWrites(gdalLog: GdalLog, write: () => Promise<void>): Promise<void> {
  const [outcome] = await Promise.allSettled([write()]);
  const errors = (await gdalLog.take()).map((line) => resourceErrorFrom(new Error(line)));
  const fromDisk = errors.find((error) => error instanceof ResourceError);
  if (fromDisk !== undefined) throw fromDisk;
  if (outcome.status === 'rejected') throw resourceErrorFrom(outcome.reason);
}
