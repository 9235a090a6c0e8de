import { closeSync, fstatSync, openSync, statfsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isResourceError, ResourceError } from '../../../lib/errors.ts';
import { KiB, MiB } from '../../../lib/units.ts';
import {
  freeBytesOf,
  type NamelessFile,
  namelessFile,
  prepareFolder,
  withoutName,
} from '../../../spool/nameless.ts';

const pageBytes = 4 * KiB;
const cacheKiB = 8 * KiB;
/** Free bytes that the disk needs beside the file. */
const spareBytes = 64 * MiB;

/** A database in a file without a name: nothing is left of it, whichever process dies. */
export interface NamelessDatabase extends Disposable {
  readonly database: DatabaseSync;
  /** Closes the database. @returns its file, which is gone when that is disposed of */
  finish(): NamelessFile;
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
  await prepareFolder(folder);
  if ((await freeBytesOf(folder)) < expectedBytes + spareBytes)
    throw new ResourceError('the disk has no room for a database');
  return withoutName(folder, (path) =>
    openAt(
      path,
      `pragma page_size = ${pageBytes}; pragma journal_mode = memory; pragma synchronous = off;
    pragma locking_mode = exclusive; pragma temp_store = memory; pragma cache_size = -${cacheKiB};
    pragma max_page_count = ${Math.floor(maxBytes / pageBytes)}; ${begin}`,
    ),
  );
}

function openAt(path: string, begin: string): NamelessDatabase {
  const database = new DatabaseSync(path, { allowExtension: false });
  let descriptor: number;
  try {
    database.exec(begin);
    descriptor = openSync(path, 'r');
  } catch (error) {
    database.close();
    throw error;
  }
  let isFinished = false;
  return {
    database,
    finish() {
      database.close();
      isFinished = true;
      return namelessFile(descriptor, fstatSync(descriptor).size);
    },
    [Symbol.dispose]() {
      if (isFinished) return;
      database.close();
      closeSync(descriptor);
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
