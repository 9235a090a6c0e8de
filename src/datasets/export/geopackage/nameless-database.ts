import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, openSync, statfsSync, unlinkSync } from 'node:fs';
import { mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isMissing } from '../../../lib/error-facts.ts';
import { isResourceError, ResourceError } from '../../../lib/errors.ts';
import { KiB, MiB } from '../../../lib/units.ts';

const pageBytes = 4 * KiB;
const cacheKiB = 8 * KiB;
/** Free bytes that the disk needs beside the file. */
const spareBytes = 64 * MiB;
const scratchName = /^package-[0-9a-f-]{36}\.sqlite$/;
/** A file that still has its name was left by a process that died in the moment in which it made it. */
const leftMs = 60_000;

/** A database in a file without a name: nothing is left of it, whichever process dies. */
export interface NamelessDatabase extends Disposable {
  readonly database: DatabaseSync;
  /** Closes the database. @returns its file, which is gone when that is disposed of */
  finish(): NamelessFile;
}

export interface NamelessFile extends Disposable {
  /** Begins to read it. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** The database has become as large as it may. */
export class DatabaseTooLarge extends Error {
  override readonly name = 'DatabaseTooLarge';
}

interface NamelessOptions {
  /** Made where it is missing. */
  readonly folder: string;
  /** Bytes for which the disk needs room. */
  readonly expectedBytes: number;
  readonly maxBytes: number;
  /** SQL that is executed first, and writes something. */
  readonly begin: string;
}

/** Opens an empty database. @throws {ResourceError} when the disk has no room. */
export async function openNamelessDatabase({
  folder,
  expectedBytes,
  maxBytes,
  begin,
}: NamelessOptions): Promise<NamelessDatabase> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeft(folder);
  if (freeBytes(await statfs(folder)) < expectedBytes + spareBytes)
    throw new ResourceError('the disk has no room for a database');
  return openIn(
    folder,
    `pragma page_size = ${pageBytes}; pragma journal_mode = memory; pragma synchronous = off;
    pragma locking_mode = exclusive; pragma temp_store = memory; pragma cache_size = -${cacheKiB};
    pragma max_page_count = ${Math.floor(maxBytes / pageBytes)}; ${begin}`,
  );
}

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!scratchName.test(name)) continue;
    try {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs > leftMs) await unlink(join(folder, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** All at once: SQLite wants to write to the file before that loses its name. */
function openIn(folder: string, begin: string): NamelessDatabase {
  const path = join(folder, `package-${randomUUID()}.sqlite`);
  const database = new DatabaseSync(path, { allowExtension: false });
  let descriptor: number | undefined;
  try {
    database.exec(begin);
    descriptor = openSync(path, 'r');
  } catch (error) {
    database.close();
    throw error;
  } finally {
    unlinkSync(path);
  }
  const own = descriptor;
  let isFinished = false;
  return {
    database,
    finish() {
      database.close();
      isFinished = true;
      return {
        bytes: () => createReadStream('', { fd: own, autoClose: false, start: 0, highWaterMark: 256 * KiB }),
        [Symbol.dispose]: () => closeSync(own),
      };
    },
    [Symbol.dispose]() {
      if (isFinished) return;
      database.close();
      closeSync(own);
    },
  };
}

/** The low byte of a code of SQLite: the kind of error. */
const [sqliteIo, sqliteFull, sqliteCannotOpen] = [10, 13, 14];
/** Less is left of a disk that is full; SQLite says no more than that there was no room. */
const fullDiskBytes = 16 * MiB;

/** Returns what an error says of the machine, or of the limit of a database in a folder; undefined when it is another one. */
export function limitOf(error: unknown, folder: string): ResourceError | DatabaseTooLarge | undefined {
  if (error instanceof ResourceError || error instanceof DatabaseTooLarge) return error;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  if (code === sqliteFull && freeBytes(statfsSync(folder)) > fullDiskBytes)
    return new DatabaseTooLarge('the database has become too large', { cause: error });
  const isOfDisk = code === sqliteFull || code === sqliteIo || code === sqliteCannotOpen;
  return isOfDisk || isResourceError(error)
    ? new ResourceError('the disk has failed', { cause: error })
    : undefined;
}

const freeBytes = ({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }) => bavail * bsize;
