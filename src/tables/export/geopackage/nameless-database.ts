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
/** Free space that the disk needs in addition to the file. */
const spareBytes = 64 * MiB;

/** A database in an unlinked file: nothing is left of it when its process dies. */
export interface NamelessDatabase extends Disposable {
  readonly database: DatabaseSync;
  /** Closes the database. @returns its file, which is deleted on disposal */
  finish(): NamelessFile;
}

/** Signals that the database has reached its size limit. */
export class DatabaseTooLarge extends Error {
  override readonly name = 'DatabaseTooLarge';
}

interface NamelessOptions {
  /** Created if missing. */
  readonly folder: string;
  /** Disk space to check for, in bytes. */
  readonly expectedBytes: number;
  readonly maxBytes: number;
  /** SQL to execute first; it must write something. */
  readonly begin: string;
}

/** Opens an empty database. @throws {ResourceError} if the disk is full. */
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

/** Primary SQLite result codes: the low byte. */
const [sqliteIo, sqliteFull, sqliteCannotOpen] = [10, 13, 14];
/** Free space below which a disk counts as full; SQLite does not report the cause. */
const fullDiskBytes = 16 * MiB;

/** Translates a SQLite error about disk space or the size limit; undefined for other errors. */
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
