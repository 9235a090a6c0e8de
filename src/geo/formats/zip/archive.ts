import { createWriteStream, read } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callbackify } from 'node:util';
import { crc32 } from 'node:zlib';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { codeOf } from '../../../lib/error-facts.ts';
import { Problem } from '../../../lib/errors.ts';
import { KiB } from '../../../lib/units.ts';
import {
  entryName,
  checkList,
  checkMethod,
  checkStructure,
  isLargerThanSaid,
  maxEntries,
} from './structure.ts';
import { archiveProblems } from '../../../messages/packages/english.ts';

/** A file in an archive that is safe to unpack. */
export interface ArchiveMember {
  readonly name: string;
  /** According to the archive; `unpackTo` enforces it. */
  readonly bytes: number;
  /** Writes the file to `path`. @throws {Problem} if it is damaged or has another size than declared. */
  unpackTo(path: string): Promise<void>;
}

/**
 * Opens a ZIP archive and reads its list of files: `members` without folders, `entries` with them, as they are listed.
 * @throws {Problem} if it is damaged, or malicious.
 */
export async function openArchive(
  path: string,
): Promise<Disposable & { readonly members: readonly ArchiveMember[]; readonly entries: readonly Entry[] }> {
  const file = await open(path);
  const zip = await translated(() => openZip(file)).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  try {
    const entries = await translated(() => listEntries(zip));
    await checkList(file, zip, entries);
    checkStructure(entries);
    const files = entries.filter((entry) => !entryName(entry).endsWith('/'));
    return {
      entries,
      members: files.map((entry) => ({
        name: entryName(entry),
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
    // Names are only displayed, so that an invalid path is harmless.
    decodeStrings: false,
    // Bytes are counted here as they arrive.
    validateEntrySizes: false,
  });
}

/** Lists the files, whatever count the archive declares. @throws {Problem} for too many files. */
async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entries.push(entry);
    if (entries.length > maxEntries) throw archiveProblems.tooManyFiles(maxEntries);
  }
  return entries;
}

/** Unpacks a file and counts its bytes as they arrive, whatever size the archive declares. @throws {Problem} */
async function unpack(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  checkMethod(entry);
  let [bytes, checksum] = [0, 0];
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      checksum = crc32(chunk, checksum);
      done(isLargerThanSaid(entry, bytes) ? archiveProblems.largerThanSaid(entryName(entry)) : null, chunk);
    },
  });
  const packed = await translated(() => zip.openReadStreamPromise(entry));
  await translated(() => pipeline(packed, counted, createWriteStream(path)));
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) throw archiveProblems.damaged();
}

/** Translates any fault of the bytes of an archive to "damaged". @throws {Problem} */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem) throw error;
    if (/^E[A-Z]+$/.test(codeOf(error) ?? '')) throw error;
    throw archiveProblems[/encrypt/i.test(error.message) ? 'encrypted' : 'damaged']().because(error);
  }
}

const chunkBytes = 256 * KiB;

type Callback = (error: Error | null) => void;
type ReadArguments = [buffer: Buffer, offset: number, length: number, position: number, callback: Callback];

/** Reads an archive for yauzl; offsets beyond its end, which a hostile one may have, are ordinary errors. */
class FileReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #bytes: number;

  constructor(file: FileHandle, bytes: number) {
    super();
    this.#file = file;
    this.#bytes = bytes;
  }

  override read(...[buffer, offset, length, position, callback]: ReadArguments): void {
    if (position + length > this.#bytes) {
      setImmediate(callback, new Error('the archive ends before what it points to'));
      return;
    }
    read(this.#file.fd, buffer, offset, length, position, (error, bytesRead) => {
      callback(error ?? (bytesRead < length ? new Error('the archive became shorter') : null));
    });
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#chunks(start, end), { objectMode: false });
  }

  async *#chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const wanted = Math.min(chunkBytes, end - at);
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  override close(callback: Callback): void {
    callbackify(() => this.#file.close())(callback);
  }
}
