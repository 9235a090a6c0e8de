import { isUtf8 } from 'node:buffer';
import type { Entry } from 'yauzl';
import { Problem } from '../../../common/errors.ts';
import { readablePath } from '../../../common/readable.ts';
import { GiB, MiB } from '../../../common/units.ts';

/** Files in one archive. */
export const maxEntries = 10_000;
/** All files of an archive together, unpacked. */
export const maxUnpackedBytes = 8 * GiB;
/** A file of more than `freeBytes` may not be packed tighter than this; no geodata is. */
const maxRatio = 200;
const freeBytes = 10 * MiB;

/** Bytes before a file's name and data. */
const localHeaderBytes = 30;
/** Bytes before a file's name in the list of files. */
const listedHeaderBytes = 46;
const encryptedFlag = 0x1;
const utf8Flag = 0x800;
const unixFileTypes = 0o170000;
const unixSymlink = 0o120000;

/**
 * Looks at an archive's own list of its files before anything is unpacked.
 * @throws {Problem} for encryption, links, overlapping files and sizes beyond any geodata.
 */
export function checkStructure(entries: readonly Entry[]): void {
  let total = 0;
  for (const entry of entries) {
    const name = readablePath(nameOf(entry));
    if ((entry.generalPurposeBitFlag & encryptedFlag) !== 0 || entry.isEncrypted())
      throw refused(`"${name}" in it is encrypted. Pack it without a password`);
    if (((entry.externalFileAttributes >>> 16) & unixFileTypes) === unixSymlink)
      throw refused(`"${name}" in it is a symbolic link. Pack the file itself`);
    if (isTooTight(entry.uncompressedSize, entry.compressedSize))
      throw refused(`"${name}" in it would grow more than ${maxRatio} times when unpacked. Pack real data`);
    total += entry.uncompressedSize;
  }
  if (total > maxUnpackedBytes) throw tooLarge();
  refuseOverlaps(entries);
}

/** How long the list is that these entries make. */
export function listBytesOf(entries: readonly Entry[]): number {
  return entries.reduce(
    (sum, { fileNameLength, extraFieldLength, fileCommentLength }) =>
      sum + listedHeaderBytes + fileNameLength + extraFieldLength + fileCommentLength,
    0,
  );
}

/** Whether so many bytes out of so few are beyond any geodata. */
export function isTooTight(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > freeBytes && unpackedBytes > packedBytes * maxRatio;
}

/** Two files that share bytes of the archive: the way of bombs. */
function refuseOverlaps(entries: readonly Entry[]): void {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of ordered) {
    if (entry.relativeOffsetOfLocalHeader < end) throw refused('files in it overlap. Pack it again');
    end =
      entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameRaw.length + entry.compressedSize;
  }
}

const dosName = new TextDecoder('ibm866');

/** The name of a file in its archive: UTF-8 where it is, else as DOS and Windows write Russian names. */
export function nameOf(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const text =
    (entry.generalPurposeBitFlag & utf8Flag) !== 0 || isUtf8(raw)
      ? Buffer.from(raw).toString()
      : dosName.decode(raw);
  return text.replaceAll('\\', '/');
}

function tooLarge(): Problem {
  return refused(
    `it says that its files are larger than ${maxUnpackedBytes / GiB} GiB together. Pack fewer or smaller ones`,
  );
}

export function refused(why: string, cause?: unknown): Problem {
  return new Problem('invalid', `The archive can not be used: ${why} and upload it again.`, { cause });
}
