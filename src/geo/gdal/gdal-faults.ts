import { ResourceError } from '../../lib/resource-error.ts';

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

/** Tells whether an error, or an entry of GDAL's log, says that memory was refused: a damaged file may ask for any amount. */
export function isOutOfMemory(error: unknown): boolean {
  const text = error instanceof Error ? error.message : error;
  return typeof text === 'string' && memoryText.test(text);
}
