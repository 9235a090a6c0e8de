import { randomUUID } from 'node:crypto';
import { mkdir, open, opendir, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { KiB } from '../units.ts';
import { ObjectMissing, type ObjectStore } from './object-store.ts';

const partialMark = '.partial-';
/** Names that are no keys (a leading dot) never show up in `keys()`. */
const probeName = '.check';
const maxKeyLength = 512;
const maxOpenRetries = 20;
const segment = /^[a-z0-9][a-z0-9.-]*$/;

/**
 * Objects as files under one folder: the embedded default. A key is its path below it. Put the owner's id in the
 * path (`cog/<dataset>/<name>.tif`): folders then stay small, and the empty ones are removed.
 */
export function createDirectoryObjectStore(folder: string): ObjectStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error(`not an object key: ${key}`);
    return join(root, key);
  };

  return {
    async put(key, body) {
      const path = pathOf(key);
      const partial = `${path}${partialMark}${randomUUID()}`;
      // Until the pipeline listens, a body that breaks must not take the process down.
      body.on('error', ignore);
      try {
        const { file, created } = await createFile(partial);
        await pipeline(body, file.createWriteStream({ flush: true }));
        await rename(partial, path); // readers see the whole object or none of it
        await syncFolders(dirname(path), root, created);
      } catch (error) {
        body.destroy();
        await removeFiles(root, path).catch(ignore); // what is left, the ledger knows and the sweeper finds
        throw error;
      }
    },

    async size(key) {
      const found = await unlessMissing(stat(pathOf(key)));
      return found?.isFile() === true ? found.size : undefined;
    },

    async read(key, range) {
      const file = await unlessMissing(open(pathOf(key)));
      if (file === undefined) throw new ObjectMissing(key);
      if (!(await isRegular(file))) {
        await file.close();
        throw new ObjectMissing(key);
      }
      return file.createReadStream(range);
    },

    async remove(key) {
      await removeFiles(root, pathOf(key));
    },

    keys: () => listKeys(root, ''),

    async check() {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const probe = await open(join(root, probeName), 'w', 0o600); // truncates, so a full disk is noticed
      try {
        await probe.write(Buffer.alloc(4 * KiB));
        await probe.sync();
      } finally {
        await probe.close();
      }
    },
  };
}

/** Creates a file and the folders above it; `created` is the topmost of them that did not exist. */
async function createFile(path: string): Promise<{ file: FileHandle; created: string | undefined }> {
  for (let retry = 0; ; retry += 1) {
    try {
      const created = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return { file: await open(path, 'wx', 0o600), created };
    } catch (error) {
      // A removal next to us has just taken the folder away because it was empty.
      if (!isMissing(error) || retry === maxOpenRetries) throw error;
    }
  }
}

/**
 * Makes the names of a file and of all folders above it durable. All of them, because a folder that was there already
 * may be another put's that has not come so far; syncing an unchanged folder costs next to nothing.
 */
async function syncFolders(folder: string, root: string, created: string | undefined): Promise<void> {
  for (let each = folder; ; each = dirname(each)) {
    await syncFolder(each);
    if (each === root) break;
  }
  if (created !== undefined && root.startsWith(created)) await syncFolder(dirname(created));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes an object and its unfinished versions for good, then the folders that this leaves empty. */
async function removeFiles(root: string, path: string): Promise<void> {
  const folder = dirname(path);
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const doomed = names
    .map((name) => join(folder, name))
    .filter((each) => each === path || isPartialOf(each, path));
  if (doomed.length === 0) return;
  for (const each of doomed) await rm(each, { force: true });
  // The ledger forgets the key next; a power cut must not bring the file back after that.
  await unlessMissing(syncFolder(folder));
  for (let each = folder; each !== root; each = dirname(each)) {
    if (!(await removedEmpty(each))) return;
  }
}

async function removedEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch {
    return false; // somebody's file is in it, or somebody else was faster
  }
}

async function* listKeys(root: string, prefix: string): AsyncGenerator<string> {
  const folder = await unlessMissing(opendir(join(root, prefix)));
  if (folder === undefined) return;
  const seen = new Set<string>();
  for await (const entry of folder) {
    if (entry.isDirectory()) {
      if (isKey(prefix + entry.name)) yield* listKeys(root, `${prefix}${entry.name}/`);
      continue;
    }
    const key = prefix + (entry.name.split(partialMark)[0] ?? '');
    if (!isKey(key) || seen.has(key)) continue;
    seen.add(key);
    yield key;
  }
}

/** No segment can be empty, start with a dot, or look like an unfinished file, so no key leads out of the root. */
function isKey(key: string): boolean {
  return (
    key.length <= maxKeyLength &&
    !key.includes(partialMark) &&
    key.split('/').every((part) => segment.test(part))
  );
}

function isPartialOf(candidate: string, path: string): boolean {
  return candidate.startsWith(path + partialMark);
}

async function isRegular(file: FileHandle): Promise<boolean> {
  return (await file.stat()).isFile();
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function ignore(): void {}
