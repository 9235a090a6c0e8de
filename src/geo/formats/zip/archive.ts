import { createWriteStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import { codeOf } from '../../../common/error-facts.ts';
import { Problem } from '../../../common/errors.ts';
import { readablePath } from '../../../common/readable.ts';
import { isInForce } from '../../layers.ts';
import { readListBytes } from './end-record.ts';
import { FileReader } from './file-reader.ts';
import { checkMethod } from './method.ts';
import { checkStructure, isTooTight, listBytesOf, maxEntries, nameOf, refused } from './structure.ts';

/** A file in an archive that is safe to unpack. */
export interface ArchiveMember {
  readonly name: string;
  /** As the archive says; `unpackTo` holds it to that. */
  readonly bytes: number;
  /** Writes the file to `path`. @throws {Problem} when it is damaged or of another size than the archive says. */
  unpackTo(path: string): Promise<void>;
}

export interface Archive extends Disposable {
  /** Without folders. */
  readonly members: readonly ArchiveMember[];
}

/**
 * Opens a zip archive and reads its list of files.
 * @throws {Problem} when it is damaged, or built to do harm.
 */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path);
  const zip = await translated(() => openZip(file)).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  try {
    const entries = await translated(() => listEntries(zip));
    if (isInForce('file-checks')) {
      const listBytes = await readListBytes(file, zip);
      if (listBytes !== undefined && listBytes !== listBytesOf(entries)) throw damaged();
      checkStructure(entries);
    }
    const files = entries.filter((entry) => !nameOf(entry).endsWith('/'));
    return {
      members: files.map((entry) => ({
        name: nameOf(entry),
        bytes: entry.uncompressedSize,
        unpackTo: (to) => unpack(zip, entry, to),
      })),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(file: FileHandle): Promise<ZipFile> {
  const { size } = await file.stat();
  return await fromRandomAccessReaderPromise(new FileReader(file, size), size, {
    lazyEntries: true,
    autoClose: false,
    // Names are only shown; a name that would be no good path does no harm.
    decodeStrings: false,
    // Bytes are counted here as they come.
    validateEntrySizes: false,
  });
}

/** Whatever number of files the archive tells: what counts is those that it lists. */
async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > maxEntries) throw tooMany();
  }
  return entries;
}

/** What the archive says of a file's size is not believed: bytes are counted as they come. */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  checkMethod(entry);
  const isChecked = isInForce('file-checks');
  let [bytes, checksum] = [0, 0];
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      const beyond = bytes > entry.uncompressedSize || isTooTight(bytes, entry.compressedSize);
      done(isChecked && beyond ? largerThanSaid(entry) : null, chunk);
    },
  });
  const packed = await translated(() => zip.openReadStreamPromise(entry));
  await translated(() => pipeline(packed, counted, createWriteStream(path)));
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) throw damaged();
}

const systemError = /^E[A-Z]+$/;
const encryption = /encrypt/i;

/** Whatever is wrong with the bytes of an archive is one thing to its sender: it is damaged. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem) throw error;
    if (systemError.test(codeOf(error) ?? '')) throw error;
    if (encryption.test(error.message)) throw refused('it is encrypted. Pack it without a password', error);
    throw damaged(error);
  }
}

function damaged(cause?: unknown): Problem {
  return refused('it is damaged or cut short. Pack its files anew', cause);
}

function tooMany(): Problem {
  return refused(`it holds more than ${maxEntries} files. Pack only the files of one layer`);
}

function largerThanSaid(entry: Entry): Problem {
  return refused(
    `"${readablePath(nameOf(entry))}" in it is larger than its list of files says. Pack it anew`,
  );
}
