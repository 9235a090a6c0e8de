import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { Problem } from '../../errors.ts';
import { checkStructure, isTooTight, maxEntries, nameOf, refused, tooLarge } from './structure.ts';

/** A file in an archive that is safe to unpack. */
export interface ArchiveMember {
  readonly name: string;
  /** Writes the file to `path`. @throws {Problem} when it is damaged or grows beyond what the archive says of it. */
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
  const zip = await translated(() =>
    openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      // Names are only shown; a name that would be no good path does no harm.
      decodeStrings: false,
      validateEntrySizes: true,
    }),
  );
  try {
    const entries = await translated(() => listEntries(zip));
    checkStructure(entries);
    const files = entries.filter((entry) => !nameOf(entry).endsWith('/'));
    return {
      members: files.map((entry) => ({ name: nameOf(entry), unpackTo: (to) => unpack(zip, entry, to) })),
      [Symbol.dispose]: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  if (zip.entryCount > maxEntries) throw tooMany();
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > maxEntries) throw tooMany();
  }
  return entries;
}

/** What the archive says of a file's size is not believed: bytes are counted as they come. */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  let [bytes, checksum] = [0, 0];
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      const beyond = bytes > entry.uncompressedSize || isTooTight(bytes, entry.compressedSize);
      done(beyond ? tooLarge() : null, chunk);
    },
  });
  const packed = await translated(() => zip.openReadStreamPromise(entry));
  await translated(() => pipeline(packed, counted, createWriteStream(path)));
  if (checksum !== entry.crc32) throw damaged();
}

const systemError = /^E[A-Z]+$/;
const encryption = /encrypt/i;

/** Whatever is wrong with the bytes of an archive is one thing to its sender: it is damaged. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem) throw error;
    const code: unknown = Reflect.get(error, 'code');
    if (typeof code === 'string' && systemError.test(code)) throw error;
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
