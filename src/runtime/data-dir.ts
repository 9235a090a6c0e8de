import { statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { codeOf, messageOf } from '../lib/error-facts.ts';
import { dataDirFailures } from '../messages/service/english.ts';

const lockName = 'lock.db';
const noteName = 'service.json';
const sqliteBusy = 5;
/** The time for which a process that only checks the lock may hold it, in milliseconds. */
const looksMilliseconds = 200;

/** The note in which the owner of DATA_DIR describes itself to other processes. */
const ServiceNote = z.object({
  pid: z.number(),
  /** The address of the embedded PostgreSQL, as parsed in `runtime/embedded.ts`; absent while it is not running. */
  database: z.unknown().optional(),
});
type ServiceNote = z.infer<typeof ServiceNote>;

export type OwnedDataDir = Awaited<ReturnType<typeof ownDataDir>>;

/**
 * Locks DATA_DIR for this process, creating it with mode 700 if it is missing. The lock is an operating system lock on `lock.db`: it is
 * released when the process ends, even by kill -9. SQLite is only used to take this lock.
 * @throws {DataDirInUse} when another process has locked it.
 */
export async function ownDataDir(dataDir: string) {
  await makeFolder(dataDir).catch((cause: unknown) => {
    throw new Error(dataDirFailures.notMade(dataDir, messageOf(cause)), { cause });
  });
  const lock = await takeLock(dataDir);
  const notePath = join(dataDir, noteName);
  const writeNote = async (note: ServiceNote) => {
    const partial = `${notePath}.partial`;
    await writeFile(partial, `${JSON.stringify(note, undefined, 2)}\n`, { mode: 0o600 });
    await rename(partial, notePath);
  };
  await writeNote({ pid: process.pid });
  return {
    /** Writes a note for other commands, readable only by this user. */
    writeNote,
    async release(): Promise<void> {
      await rm(notePath, { force: true });
      lock.close();
    },
  };
}

/** Reads the note of the owner of DATA_DIR, which may have died. */
export async function readNote(dataDir: string): Promise<ServiceNote | undefined> {
  try {
    return ServiceNote.parse(JSON.parse(await readFile(join(dataDir, noteName), 'utf8')));
  } catch {
    return undefined; // missing, or truncated by a crash
  }
}

/**
 * Returns whether a process has locked DATA_DIR, without locking it.
 * @throws {Error} when this account cannot check.
 */
export function isOwned(dataDir: string): boolean {
  const path = join(dataDir, lockName);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
  const lock = new DatabaseSync(path, { readOnly: true });
  try {
    lock.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/** Another process uses this DATA_DIR. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/** Creates a folder and its parents. `mkdir` with `recursive` in Node.js never returns if they cannot be created, as in /proc. */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  await makeFolder(parent);
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    if (await isFolder(path)) return; // another process was faster
    throw codeOf(error) === 'ENOENT' ? new Error(dataDirFailures.noFoldersIn(parent)) : error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function takeLock(dataDir: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, lockName), { timeout: looksMilliseconds });
    lock.exec('begin exclusive');
    return lock;
  } catch (cause) {
    lock?.close();
    if (!isBusy(cause)) throw new Error(dataDirFailures.unusable(dataDir, messageOf(cause)), { cause });
    throw new DataDirInUse(dataDirFailures.inUse(dataDir, (await readNote(dataDir))?.pid), { cause });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
