import { statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { codeOf, messageOf } from '../lib/error-facts.ts';
import { dataDirFailures } from '../messages/service.ts';

const lockName = 'lock.db';
const noteName = 'service.json';
const sqliteBusy = 5;
/** A process that only looks at the lock has it for less. */
const looksMilliseconds = 200;

/** The note in which the process that owns DATA_DIR tells others about itself. */
const ServiceNote = z.object({
  pid: z.number(),
  /** The place of the embedded PostgreSQL, as `runtime/embedded.ts` reads it; absent while there is none. */
  database: z.unknown().optional(),
});
type ServiceNote = z.infer<typeof ServiceNote>;

export type OwnedDataDir = Awaited<ReturnType<typeof ownDataDir>>;

/**
 * Takes DATA_DIR for this process, making it first where it is missing (mode 700). The lock is a lock of the operating
 * system on `lock.db`: it goes when this process goes, kill -9 included. SQLite is only the way to such a lock.
 * @throws {DataDirInUse} when another process has it.
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
    /** Leaves a note for other commands, readable for this user only. */
    writeNote,
    async release(): Promise<void> {
      await rm(notePath, { force: true });
      lock.close();
    },
  };
}

/** Reads what the owner of DATA_DIR wrote, or what a dead one left. */
export async function readNote(dataDir: string): Promise<ServiceNote | undefined> {
  try {
    return ServiceNote.parse(JSON.parse(await readFile(join(dataDir, noteName), 'utf8')));
  } catch {
    return undefined; // none, or cut short by a crash
  }
}

/**
 * Returns whether a process has DATA_DIR, without taking it.
 * @throws {Error} when this account cannot look.
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

/** Another process works with this DATA_DIR. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/** Makes a folder and those above it. Node's own way never returns where none can be made, as in /proc. */
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
