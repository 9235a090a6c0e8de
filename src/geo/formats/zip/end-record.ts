import type { FileHandle } from 'node:fs/promises';
import type { ZipFile } from 'yauzl';

/** The record at the end of an archive, without the comment that closes it. */
const recordBytes = 22;
const listBytesAt = 12;
/** Stands where a 64-bit number somewhere else holds. */
const elsewhere = 0xffffffff;

/** How long the list of files is by the archive's last record; absent when that does not say. */
export async function readListBytes(file: FileHandle, zip: ZipFile): Promise<number | undefined> {
  const record = Buffer.alloc(recordBytes);
  await file.read(record, 0, recordBytes, zip.fileSize - zip.comment.length - recordBytes);
  const listBytes = record.readUInt32LE(listBytesAt);
  return listBytes === elsewhere ? undefined : listBytes;
}
