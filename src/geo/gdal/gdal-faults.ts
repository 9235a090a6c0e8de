import { ResourceError } from '../../common/resource-error.ts';

/** GDAL has no error codes; a write of its own that failed for the disk shows by its text alone. */
const resourceText =
  /no space left|quota|file too large|input\/output error|read-only file system|write error|too many open files/i;

/** What a failed write of GDAL's means: a ResourceError when it was the disk, else the error as it is. */
export function resourceErrorFrom(error: unknown): unknown {
  if (!(error instanceof Error) || !resourceText.test(error.message)) return error;
  return new ResourceError(error.message, { cause: error });
}

/** GDAL's error number 2 is memory; what its libraries and Node.js say has no number. */
const memoryText = /^ERROR 2:|out of memory|(?:can ?not|failed to|unable to) allocate|allocation failed/i;

/** Whether an error, or a line of GDAL's log, says that memory was refused: a damaged file may ask for any amount. */
export function isMemoryComplaint(complaint: unknown): boolean {
  const text = complaint instanceof Error ? complaint.message : complaint;
  return typeof text === 'string' && memoryText.test(text);
}
