import { open } from 'node:fs/promises';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { isMissing } from '../../../common/error-facts.ts';
import { Problem } from '../../../common/errors.ts';
import { KiB } from '../../../common/units.ts';
import { ResourceError } from '../../../common/resource-error.ts';
import { isMemoryComplaint, resourceErrorFrom } from '../../gdal/gdal-faults.ts';

/** What GDAL says beside the results of its calls. */
export interface Complaints {
  /** All errors and warnings since the last time this was asked, one a line. */
  take(): Promise<readonly string[]>;
}

/** Who damages a file on purpose shall not fill the disk; one complaint is enough to refuse it. */
const maxComplaintBytes = 64 * KiB;

/**
 * Begins to write down what GDAL says. It fills pixels that it can not decode with zeros or grey and calls that a
 * success (JPEG cut short, fax lines, blocks behind the end when several threads read): only its log tells.
 */
export async function listenToGdal(scratch: string): Promise<Complaints> {
  // GDAL opens its log once in the life of a process.
  const path = gdal.config.get('CPL_LOG') ?? join(scratch, 'gdal.log');
  gdal.config.set('CPL_LOG', path);
  gdal.config.set('CPL_MAX_ERROR_REPORTS', '100000');
  gdal.verbose();
  let position = 0;
  const takeNew = async (): Promise<readonly string[]> => {
    try {
      await using log = await open(path);
      const { size } = await log.stat();
      const bytes = Buffer.alloc(Math.min(size - position, maxComplaintBytes));
      await log.read(bytes, 0, bytes.length, position);
      position = size;
      return bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => /^(ERROR|FATAL|Warning) /.test(line));
    } catch (error) {
      // There is no log before the first complaint.
      if (isMissing(error)) return [];
      throw error;
    }
  };
  await takeNew();
  return { take: takeNew };
}

/**
 * Said of a tag whose value lies behind the end of the file. What it told (place, nodata, colours, …) is lost, and GDAL
 * goes on without.
 */
const lostTag = /IO error during reading of/;

/** @throws {Problem} when opening a file has shown that a part of it is missing. */
export function refuseLostTags(complaints: readonly string[]): void {
  const lost = complaints.find((line) => lostTag.test(line));
  if (lost !== undefined) throw damaged('Some of what the file says about its raster', lost);
}

/** @throws {Problem} when reading pixels was not as quiet as it is with a sound file. */
export function refuseComplaints(complaints: readonly string[]): void {
  const [first] = complaints;
  if (first !== undefined) throw unreadablePixels(first);
}

/**
 * Runs what writes a file with GDAL, which tells of a full disk in strange words, or only when it closes the file and
 * then calls that a success.
 * @throws {ResourceError} when the disk did not take what was written, else what `write` throws.
 */
export async function watchWrites(complaints: Complaints, write: () => Promise<void>): Promise<void> {
  const failure = await write().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const errors = (await complaints.take()).map((line) => resourceErrorFrom(new Error(line)));
  const fromDisk = errors.find((error) => error instanceof ResourceError);
  if (fromDisk !== undefined) throw fromDisk;
  if (failure !== undefined) throw resourceErrorFrom(failure.error);
}

/** Pixels that are not what was once written. */
export function unreadablePixels(cause: unknown): Problem {
  return damaged('Some pixels of the raster', cause);
}

/** `what` can not be read. */
export function damaged(what: string, cause: unknown): Problem {
  const why = isMemoryComplaint(cause)
    ? 'the file is damaged, or needs more memory than one file is given. Export it again with tiles of 512 pixels'
    : 'the file is cut short or damaged. Export it again';
  return new Problem('invalid', `${what} can not be read: ${why} and upload the new file.`, { cause });
}
