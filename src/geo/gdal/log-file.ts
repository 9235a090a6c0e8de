import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { isMissing } from '../../lib/error-facts.ts';
import { KiB, MiB } from '../../lib/units.ts';
import { readable } from '../../lib/readable.ts';
import { engineWarnings, rasterProblems, rasterWarnings } from '../../messages/raster/english.ts';
import type { Warning } from '../findings.ts';
import { warningOf, type FindingsCollector } from '../gather-findings.ts';
import { type Problem, ResourceError } from '../../lib/errors.ts';
import { isOutOfMemory, quietly, resourceErrorFrom } from './last-error.ts';

/** Entries of GDAL's log, one per line. */
export interface LogFile {
  /** Returns the entries since the last call. */
  take(): readonly string[];
}

/** Limit of memory for a maliciously damaged file. */
const maxBytesAtOnce = 4 * MiB;
const chunkBytes = 64 * KiB;

/** Makes GDAL write its log into the scratch folder, and reads the entries from now on. */
export function openLogFile(scratch: string): LogFile {
  // GDAL opens its log once per process.
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

/** Maximum number of distinct texts in a report; all others are counted together. */
const maxTexts = 20;
const maxTextCharacters = 300;

/** The binding reads the nodata value of 64-bit integers as a float. GDAL then warns, but compares pixels with the exact value. */
const approximateNoData = /GetNoDataValue\(\) returns an approximate value/;

/**
 * Warnings that the report covers in another way: invalid polygons (`geometry_repaired`, `geometry_lost`), places
 * without an image, and effects of our own ways of opening a file.
 */
const covered: readonly RegExp[] = [
  /^(?:Self-intersection|Ring Self-intersection|Hole lies outside shell|Nested (?:holes|shells)|Holes are nested|Interior is disconnected|Duplicate Rings|Too few points in geometry component|Invalid Coordinate|Ring is not closed|Topology validity error|IllegalArgumentException|TopologyException|Points of LinearRing)/i,
  /SHAPE_RESTORE_SHX/,
  // The version of 2024, which QGIS writes, has the same columns and geometry as before.
  /^This version of GeoPackage user_version=0x000028A0 \(10400, v1\.4\.0\)/,
  // Columns of a GeoPackage are read as SQLite stores them, whatever types they declare; further geometry is `columns_left_out`.
  /^Field format '.*' not supported/s,
  /^geometry column '.*' of type '.*' ignored/s,
  /^geometry column type in '.*' is not consistent with type in gpkg_geometry_columns/s,
  /^(?:Reprojection failed|PROJ: )/,
  approximateNoData,
];

/** GDAL compares the parameters in a GeoTIFF with those of the code that it names. */
const contradiction = /^The definition of \w+ CRS EPSG:(\d+) got from GeoTIFF keys is not the same/;

/** Returns the warning of a contradiction in the words of the service; undefined for any other text. */
function contradictionIn(text: string): Warning | undefined {
  const code = contradiction.exec(text)?.[1];
  if (code === undefined) return undefined;
  const isKnown = quietly(() => gdal.SpatialReference.fromEPSG(Number(code))) !== undefined;
  const { crsContradicted, crsUnknown } = rasterWarnings;
  return warningOf('crs_contradicted', (isKnown ? crsContradicted : crsUnknown)(`EPSG:${code}`));
}

/** Counts GDAL's own warnings about a file, which has a temporary name; each distinct text once. */
export function createWarningTally() {
  const counts = new Map<string, number>();
  let contradicted: Warning | undefined;
  let others = 0;
  return {
    /** @param entry of GDAL's log, such as `Warning 1: …`. */
    add(entry: string): void {
      const text = /^Warning \d+: (.*)$/.exec(entry)?.[1];
      if (text === undefined || covered.some((pattern) => pattern.test(text))) return;
      contradicted ??= contradictionIn(text);
      if (contradiction.test(text)) return;
      const cleaned = clean(text);
      const count = counts.get(cleaned);
      if (count === undefined && counts.size === maxTexts) others += 1;
      else counts.set(cleaned, (count ?? 0) + 1);
    },
    result(): readonly Warning[] {
      const told = Array.from(counts, ([text, times]) => engineWarnings.gdal(text, times));
      if (others > 0) told.push(engineWarnings.more(others));
      return [
        ...(contradicted === undefined ? [] : [contradicted]),
        ...told.map((message) => warningOf('other_warnings', message)),
      ];
    },
  };
}

/** Removes details of this machine: paths, network addresses and memory addresses. */
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

/** Errors and warnings that GDAL logs in addition to the results of its calls. */
export type GdalLog = Awaited<ReturnType<typeof openGdalLog>>;

/**
 * Makes GDAL write its log into the scratch folder. GDAL replaces undecodable pixels by zeros or grey and reports
 * success (truncated JPEG, fax lines, blocks beyond the end with several threads): only its log shows that.
 * @param findings of the file, whose report repeats the warnings.
 */
export async function openGdalLog(scratch: string, findings?: Pick<FindingsCollector, 'warnLater'>) {
  const log = openLogFile(scratch);
  const tally = createWarningTally();
  /** Returns the entries since the last call, one per line. */
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
    /** Returns the entries about files that were written and read back since then, rather than about the upload. */
    takeOwn: async (): Promise<readonly string[]> => log.take(),
  };
}

/** @throws {Problem} if opening the file has lost some of its metadata: georeference, nodata, colours, … */
export function refuseLostTags(entries: readonly string[]): void {
  // GDAL opens a file without the tags whose values lie beyond its end.
  const lost = entries.find((line) => line.includes('IO error during reading of'));
  if (lost !== undefined) throw rasterProblems.unreadable('tags', isOutOfMemory(lost)).because(lost);
}

/** @throws {Problem} if reading pixels has logged any entry: a sound file causes none. */
export function refusePixelErrors(entries: readonly string[]): void {
  const first = entries.find((entry) => !approximateNoData.test(entry));
  if (first !== undefined) throw unreadablePixels(first);
}

export function unreadablePixels(cause: unknown): Problem {
  return rasterProblems.unreadable('pixels', isOutOfMemory(cause)).because(cause);
}

/**
 * Runs a write with GDAL, which reports a full disk in unexpected words, or on closing as a success.
 * @throws {ResourceError} if the disk refused the bytes, otherwise the error of `write`.
 */
export async function watchWrites(gdalLog: GdalLog, write: () => Promise<void>): Promise<void> {
  await gdalLog.take();
  const [outcome] = await Promise.allSettled([write()]);
  const errors = (await gdalLog.takeOwn()).map((line) => resourceErrorFrom(new Error(line)));
  const fromDisk = errors.find((error) => error instanceof ResourceError);
  if (fromDisk !== undefined) throw fromDisk;
  if (outcome.status === 'rejected') throw resourceErrorFrom(outcome.reason);
}
