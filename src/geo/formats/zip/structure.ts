import type { FileHandle } from 'node:fs/promises';
import type { Entry, ZipFile } from 'yauzl';
import { GiB, MiB } from '../../../lib/units.ts';
import { archiveProblems } from '../../../messages/packages/english.ts';
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { likeliestCyrillic } from '../../../../common/charset/cyrillic.ts';
import { createEvidence } from '../shapefile/charset/choose.ts';

/** Maximum number of files in an archive. */
export const maxEntries = 10_000;
/** Maximum unpacked size of all files of an archive. */
const maxUnpackedBytes = 8 * GiB;
/** Maximum compression ratio of a file of more than `freeBytes`; geodata does not exceed it. */
const maxRatio = 200;
const freeBytes = 10 * MiB;

/** Bytes before a file's name and data. */
const localHeaderBytes = 30;
/** Bytes before a file's name in the central directory. */
const listedHeaderBytes = 46;
const encryptedFlag = 0x1;
const unixFileTypes = 0o170000;
const unixSymlink = 0o120000;

/**
 * Checks the central directory of an archive before unpacking.
 * @throws {Problem} for encryption, links, overlapping files and sizes beyond any geodata.
 */
export function checkStructure(entries: readonly Entry[]): void {
  let total = 0;
  for (const entry of entries) {
    const name = entryName(entry);
    if ((entry.generalPurposeBitFlag & encryptedFlag) !== 0 || entry.isEncrypted())
      throw archiveProblems.encryptedFile(name);
    if (((entry.externalFileAttributes >>> 16) & unixFileTypes) === unixSymlink)
      throw archiveProblems.link(name);
    if (isTooTight(entry.uncompressedSize, entry.compressedSize))
      throw archiveProblems.tooTight(name, maxRatio);
    total += entry.uncompressedSize;
  }
  if (total > maxUnpackedBytes) throw archiveProblems.tooLarge(maxUnpackedBytes / GiB);
  refuseOverlaps(entries);
}

/** Size of the record at the end of an archive, without its comment. */
const endRecordBytes = 22;
const listBytesAt = 12;
/** Placeholder for a value in a 64-bit field elsewhere. */
const elsewhere = 0xffffffff;

/** @throws {Problem} if the entries do not add up to the size of the central directory in the end record. */
export async function checkList(file: FileHandle, zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  const record = Buffer.alloc(endRecordBytes);
  await file.read(record, 0, endRecordBytes, zip.fileSize - zip.comment.length - endRecordBytes);
  const told = record.readUInt32LE(listBytesAt);
  const listBytes = entries.reduce(
    (sum, { fileNameLength, extraFieldLength, fileCommentLength }) =>
      sum + listedHeaderBytes + fileNameLength + extraFieldLength + fileCommentLength,
    0,
  );
  if (told !== elsewhere && told !== listBytes) throw archiveProblems.damaged();
}

/** Returns whether this many unpacked bytes exceed the declared size, or the maximum for geodata. */
export function isLargerThanSaid({ uncompressedSize, compressedSize }: Entry, bytes: number): boolean {
  return bytes > uncompressedSize || isTooTight(bytes, compressedSize);
}

function isTooTight(unpackedBytes: number, packedBytes: number): boolean {
  return unpackedBytes > freeBytes && unpackedBytes > packedBytes * maxRatio;
}

/** Refuses files that share bytes of the archive, as bombs do. @throws {Problem} */
function refuseOverlaps(entries: readonly Entry[]): void {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of ordered) {
    if (entry.relativeOffsetOfLocalHeader < end) throw archiveProblems.overlapping();
    end =
      entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameRaw.length + entry.compressedSize;
  }
}

const readableMethods: readonly number[] = [0, 8];

/** Compression methods in use besides Deflate, by their numbers in the format. */
const methodNames: ReadonlyMap<number, string> = new Map([
  [1, 'Shrink'],
  [6, 'Implode'],
  [9, 'Deflate64'],
  [12, 'bzip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [95, 'XZ'],
  [98, 'PPMd'],
]);

/** @throws {Problem} for an unsupported compression method. */
export function checkMethod(entry: Entry): void {
  const { compressionMethod: method } = entry;
  if (readableMethods.includes(method)) return;
  throw archiveProblems.unknownMethod(entryName(entry), methodNames.get(method) ?? `number ${method}`);
}

const utf8Flag = 0x800;
/** Extra field with a name in Unicode: a version, the checksum of the name that it replaces, UTF-8. */
const unicodeName = { id: 0x7075, version: 1, headBytes: 5 } as const;

/** Returns the name of a file in its archive: in UTF-8 if available, otherwise in the most likely Cyrillic charset. */
export function entryName(entry: Entry): string {
  const raw = entry.fileNameRaw;
  const utf8 = (entry.generalPurposeBitFlag & utf8Flag) !== 0 || isUtf8(raw) ? raw : unicodeNameOf(entry);
  return (utf8 === undefined ? guessed(raw) : Buffer.from(utf8).toString()).replaceAll('\\', '/');
}

function unicodeNameOf({ extraFields, fileNameRaw }: Entry): Uint8Array | undefined {
  const field = extraFields.find(({ id }) => id === unicodeName.id)?.data;
  if (field === undefined || field.length <= unicodeName.headBytes) return undefined;
  const name = field.subarray(unicodeName.headBytes);
  // A program without support for the field may have renamed the file.
  const isMeant = field[0] === unicodeName.version && field.readUInt32LE(1) === crc32(fileNameRaw);
  return isMeant && isUtf8(name) ? name : undefined;
}

function guessed(raw: Uint8Array): string {
  const evidence = createEvidence();
  evidence.add(raw, { begin: 0, end: raw.length, room: raw.length + 1 });
  return likeliestCyrillic(evidence.finish()).charset.decode(raw);
}
