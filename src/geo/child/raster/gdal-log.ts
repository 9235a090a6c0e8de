import { type Problem, ResourceError } from '../../../lib/errors.ts';
import { rasterProblems } from '../../../messages/raster.ts';
import type { FindingsCollector } from '../../findings.ts';
import { isOutOfMemory, resourceErrorFrom } from '../../gdal/last-error.ts';
import { openLogFile, createWarningTally } from '../../gdal/log-file.ts';

/** The errors and warnings that GDAL logs beside the results of its calls. */
export type GdalLog = Awaited<ReturnType<typeof openGdalLog>>;

/**
 * Makes GDAL write its log into the scratch folder. GDAL fills pixels that it cannot decode with zeros or grey and reports
 * success (JPEG cut short, fax lines, blocks behind the end when several threads read): only its log tells.
 * @param findings of the file that is read, whose report repeats the warnings.
 */
export async function openGdalLog(scratch: string, findings?: Pick<FindingsCollector, 'warnLater'>) {
  const log = openLogFile(scratch);
  const tally = createWarningTally();
  /** Returns the entries since the last call, one a line. */
  const take = async (): Promise<readonly string[]> => {
    const entries = log.take();
    entries.forEach(tally.add);
    return entries;
  };
  findings?.warnLater(() => {
    log.take().forEach(tally.add);
    return tally.result();
  });
  return {
    take,
    /** Returns the same of what was written and read back since then, which is not about the file. */
    takeOwn: async (): Promise<readonly string[]> => log.take(),
  };
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
  await gdalLog.take();
  const [outcome] = await Promise.allSettled([write()]);
  const errors = (await gdalLog.takeOwn()).map((line) => resourceErrorFrom(new Error(line)));
  const fromDisk = errors.find((error) => error instanceof ResourceError);
  if (fromDisk !== undefined) throw fromDisk;
  if (outcome.status === 'rejected') throw resourceErrorFrom(outcome.reason);
}
