import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import gdal from 'gdal-async';
import { isMissing } from '../../lib/error-facts.ts';
import { KiB, MiB } from '../../lib/units.ts';

/** The entries that GDAL writes into its log, one a line. */
export interface LogFile {
  /** Returns the entries since the last call. */
  take(): readonly string[];
}

/** A file that was damaged on purpose must not fill the memory. */
const maxBytesAtOnce = 4 * MiB;
const chunkBytes = 64 * KiB;

/** Has GDAL write its log into the scratch folder, and reads what is written from now on. */
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
