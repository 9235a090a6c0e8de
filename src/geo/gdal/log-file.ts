import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { isMissing } from '../../lib/error-facts.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { readable } from '../../lib/readable.ts';
import { engineWarnings, rasterProblems } from '../../messages/raster.ts';
import type { Warning } from '../findings.ts';
import { warningOf, type FindingsCollector } from '../gather-findings.ts';
import { type Problem, ResourceError } from '../../lib/errors.ts';
import { isOutOfMemory, resourceErrorFrom } from './last-error.ts';

/** The entries that GDAL writes into its log, one a line. */
export interface LogFile {
  /** Returns the entries since the last call. */
  take(): readonly string[];
}

/** A file that was damaged on purpose must not fill the memory. */
const maxBytesAtOnce = 4 * MiB;
const chunkBytes = 64 * KiB;

/** Makes GDAL write its log into the scratch folder, and reads what is written from now on. */
export function openLogFile(scratch: string): LogFile {
  // GDAL opens its log once in the life of a process.
  const path = gdal.config.get('CPL_LOG') ?? join(scratch, 'gdal.log');
  gdal.config.set('CPL_LOG', path);
  gdal.config.set('CPL_MAX_ERROR_REPORTS', '100000');
  gdal.verbose();
  let position = 0;
  const take = (): readonly string[] => {
    let file: number;
    try {
      file = openSync(path, 'r');
    } catch (error) {
      // GDAL creates the file with the first entry.
      if (isMissing(error)) return [];
      throw error;
    }
    try {
      const { size } = fstatSync(file);
      const text = readText(file, position, Math.min(size - position, maxBytesAtOnce));
      position = size;
      return text.split('\n').filter((line) => /^(ERROR|FATAL|Warning) /.test(line));
    } finally {
      closeSync(file);
    }
  };
  take();
  return { take };
}

function readText(file: number, from: number, bytes: number): string {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes; at += chunkBytes) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, bytes - at));
    readSync(file, chunk, 0, chunk.length, from + at);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Different texts that a report repeats; all others are counted together. */
const maxTexts = 20;
const maxTextCharacters = 300;

/** For 64-bit integers the binding reads the nodata value as a float. GDAL then warns, but compares pixels with the exact value. */
const approximateNoData = /GetNoDataValue\(\) returns an approximate value/;

/**
 * Warnings about what a report says by itself: invalid polygons (`geometry_repaired`, `geometry_lost`), places without an
 * image, and what our own ways of opening a file provoke.
 */
const covered: readonly RegExp[] = [
  /^(?:Self-intersection|Ring Self-intersection|Hole lies outside shell|Nested (?:holes|shells)|Holes are nested|Interior is disconnected|Duplicate Rings|Too few points in geometry component|Invalid Coordinate|Ring is not closed|Topology validity error|IllegalArgumentException|TopologyException|Points of LinearRing)/i,
  /SHAPE_RESTORE_SHX/,
  // The version of 2024, which QGIS writes: its columns and geometry are those of before.
  /^This version of GeoPackage user_version=0x000028A0 \(10400, v1\.4\.0\)/,
  // Columns of a GeoPackage are read as SQLite stores them, whatever type they declare; further geometry is `columns_left_out`.
  /^Field format '.*' not supported/s,
  /^geometry column '.*' of type '.*' ignored/s,
  /^geometry column type in '.*' is not consistent with type in gpkg_geometry_columns/s,
  /^(?:Reprojection failed|PROJ: )/,
  approximateNoData,
];

/** Counts GDAL's own warnings of a file, which has names of ours; each of its texts once. */
export function createWarningTally() {
  const counts = new Map<string, number>();
  let others = 0;
  return {
    /** @param entry of GDAL's log, such as `Warning 1: …`. */
    add(entry: string): void {
      const text = /^Warning \d+: (.*)$/.exec(entry)?.[1];
      if (text === undefined || covered.some((pattern) => pattern.test(text))) return;
      const cleaned = clean(text);
      const count = counts.get(cleaned);
      if (count === undefined && counts.size === maxTexts) others += 1;
      else counts.set(cleaned, (count ?? 0) + 1);
    },
    result(): readonly Warning[] {
      const told = Array.from(counts, ([text, times]) => engineWarnings.gdal(text, times));
      if (others > 0) told.push(engineWarnings.more(others));
      return told.map((message) => warningOf('other_warnings', message));
    },
  };
}

/** Removes what is about this machine and not about the file: paths, addresses of the network and of the memory. */
function clean(text: string): string {
  const cleaned = text
    .replace(/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>()]+/gi, '…')
    .replace(/\b0x[0-9a-f]{9,}\b/gi, '…')
    .replace(/(['"])(?:[a-z]:)?[\\/][^'"]*\1/gi, '$1the file$1')
    .replace(/(?<![\w.])(?:[a-z]:)?[\\/][^\s'"`<>,;:()]*[\\/][^\s'"`<>,;:()]*/gi, 'the file')
    .replace(
      /(?<![\w/])(?:input|without-log|completed|listed|rows)\.(?:tiff?|gpkg|shp|shx|dbf|prj|cpg)\b/gi,
      'the file',
    )
    .replace(/^the file: /, '')
    .trim();
  return readable(cleaned, maxTextCharacters);
}

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

/** @throws {Problem} when reading pixels has left any entry about them: a sound file leaves none. */
export function refusePixelErrors(entries: readonly string[]): void {
  const first = entries.find((entry) => !approximateNoData.test(entry));
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
