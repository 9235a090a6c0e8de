import gdal from 'gdal-async';
import { ResourceError } from '../../lib/errors.ts';

/** GDAL's lowest level of an error; below are warnings and remarks. */
const failureLevel = 3;

/** Runs a call of the binding, which throws even for warnings; undefined when it threw. `lastError` tells errors apart. */
export function quietly<T>(call: () => T): T | undefined {
  gdal.lastError = null;
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** Returns the text of GDAL's last error since `quietly` was called; undefined when there was none. */
export function lastError(): string | undefined {
  const error: unknown = gdal.lastError;
  if (typeof error !== 'object' || error === null || !('level' in error && 'message' in error))
    return undefined;
  return Number(error.level) >= failureLevel ? String(error.message) : undefined;
}

/** GDAL has no error codes; only the text of a failed write tells that the disk was the cause. */
const resourceText =
  /no space left|quota|file too large|input\/output error|read-only file system|write error|too many open files/i;

/** Returns a ResourceError for a failed write that was the disk's fault, else the error as it is. */
export function resourceErrorFrom(error: unknown): unknown {
  if (!(error instanceof Error) || !resourceText.test(error.message)) return error;
  return new ResourceError(error.message, { cause: error });
}

/** GDAL's error number 2 is memory; what its libraries and Node.js say has no number. */
const memoryText = /^ERROR 2:|out of memory|(?:can ?not|failed to|unable to) allocate|allocation failed/i;

/** Returns whether an error, or an entry of GDAL's log, says that memory was refused: a damaged file may ask for any amount. */
export function isOutOfMemory(error: unknown): boolean {
  const text = error instanceof Error ? error.message : error;
  return typeof text === 'string' && memoryText.test(text);
}
