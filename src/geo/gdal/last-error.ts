import gdal from 'gdal-async';
import { ResourceError } from '../../lib/errors.ts';

/** Lowest level of an error in GDAL; lower ones are warnings and debug messages. */
const failureLevel = 3;

/** Runs a call of the binding, which throws even for warnings; returns undefined if it threw. `lastError` identifies errors. */
export function quietly<T>(call: () => T): T | undefined {
  gdal.lastError = null;
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Returns the text of GDAL's last error since `quietly` was called; undefined for none. */
export function lastError(): string | undefined {
  const error: unknown = gdal.lastError;
  if (typeof error !== 'object' || error === null || !('level' in error && 'message' in error))
    return undefined;
  return Number(error.level) >= failureLevel ? String(error.message) : undefined;
}

/** GDAL has no error codes; only the text of a failed write shows that the disk was the cause. */
const resourceText =
  /no space left|quota|file too large|input\/output error|read-only file system|write error|too many open files/i;

/** Returns a ResourceError for a write that failed because of the disk, otherwise the error unchanged. */
export function resourceErrorFrom(error: unknown): unknown {
  if (!(error instanceof Error) || !resourceText.test(error.message)) return error;
  return new ResourceError(error.message, { cause: error });
}

/** GDAL's error number 2 is memory; messages of its libraries and of Node.js have no number. */
const memoryText = /^ERROR 2:|out of memory|(?:can ?not|failed to|unable to) allocate|allocation failed/i;

/** Returns whether an error, or an entry of GDAL's log, means that memory was refused: a damaged file may request any amount. */
export function isOutOfMemory(error: unknown): boolean {
  const text = error instanceof Error ? error.message : error;
  return typeof text === 'string' && memoryText.test(text);
}
