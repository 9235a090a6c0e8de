import { chmod, link, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ignore } from '../lib/concurrency/promises.ts';
import { codeOf, isMissing } from '../lib/error-facts.ts';
import { KiB, MiB } from '../lib/units.ts';
import {
  isKey,
  ObjectMissing,
  partialSuffix,
  StoreUnavailable,
  type ByteRange,
  type ObjectStore,
  type OpenObject,
  type PieceRange,
  type StoreCall,
} from './object-store.ts';
import { bytesOf } from './pieces.ts';
import { createFileSink } from './file-sink.ts';
import { createOpenFiles } from './open-files.ts';

/** Names that are no keys (a leading dot) never show up in `keys()`. */
const probeName = '.check';
const maxOpenRetries = 20;
const fileMode = 0o600;
/** Of pieces so much is read while what came before is written. */
const readAheadBytes = 4 * MiB;

/**
 * Objects as files under one folder: the embedded default. A key is its path below it; folders come and go with what
 * is in them. A key is put once in its life, so its unfinished file needs no name of its own.
 */
export function createDirectoryObjectStore(folder: string): ObjectStore {
  const root = resolve(folder);
  const openFiles = createOpenFiles();
  const pathOf = (key: string): string => {
    if (!isKey(key)) throw new Error(`not an object key: ${key}`);
    return join(root, key);
  };

  async function openFile(path: string): Promise<OpenObject | undefined> {
    const file = await unlessMissing(openFiles.open(path));
    if (file === undefined) await checkFolder(root);
    return file;
  }

  return {
    put: (key, body, call) => ofStore(async () => await putFile(root, pathOf(key), body, call)),
    adopt: (key, path) => ofStore(async () => await adoptFile(root, pathOf(key), path)),
    compose: (key, pieces, call) =>
      ofStore(async () => {
        call?.signal?.throwIfAborted();
        const stretch = async (range: PieceRange) =>
          await openFile('key' in range ? pathOf(range.key) : range.path);
        const reading = { objectMode: false, highWaterMark: readAheadBytes };
        await putFile(root, pathOf(key), Readable.from(bytesOf(pieces, stretch, call), reading), call);
        return true;
      }),
    size: (key) => ofStore(async () => await sizeOf(root, pathOf(key))),
    read: (key, range) =>
      ofStore(async () => {
        const object = await readFile(root, pathOf(key), range);
        if (object === undefined) throw new ObjectMissing(key);
        return object;
      }),
    link: (key, path) =>
      ofStore(async () => {
        const isLinked = await linkFile(root, pathOf(key), path);
        if (isLinked === undefined) throw new ObjectMissing(key);
        return isLinked;
      }),
    open: async (key) => {
      const path = pathOf(key);
      const kept = openFiles.openKept(path);
      return ofThisStore(kept ?? (await ofStore(async () => await openFile(path))));
    },
    remove: (key) =>
      ofStore(async () => {
        const path = pathOf(key);
        await removeFiles(root, path).finally(() => openFiles.forget(path));
      }),
    async *keys() {
      try {
        yield* listKeys(root, '');
      } catch (error) {
        throw meantOfStore(error);
      }
    },
    check: () => ofStore(async () => await writeProbe(root)),
  };
}

/** Codes of a file system that is full, broken, closed to us, or not there. */
const codesOfStore = new Set(
  'ENOSPC EDQUOT EFBIG EIO EMFILE ENFILE EROFS EACCES EPERM ESTALE ENOENT ENOTDIR EEXIST'.split(' '),
);

async function ofStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw meantOfStore(error);
  }
}

function meantOfStore(error: unknown): unknown {
  return error instanceof Error && codesOfStore.has(codeOf(error) ?? '')
    ? new StoreUnavailable({ cause: error, isOver: true })
    : error;
}

/** The open file, with errors as everywhere in the store. */
function ofThisStore(file: OpenObject | undefined): OpenObject | undefined {
  if (file === undefined) return undefined;
  return { ...file, fill: (bytes, start) => ofStore(async () => await file.fill(bytes, start)) };
}

async function putFile(root: string, path: string, body: Readable, call?: StoreCall): Promise<void> {
  // Until the pipeline listens, a body that breaks must not take the process down.
  body.on('error', ignore);
  const create = async () => await open(path + partialSuffix, 'wx', fileMode);
  const { made: file, created } = await inFolder(dirname(path), create).catch((error: unknown) => {
    body.destroy();
    throw error;
  });
  await publish(root, path, created, async () => {
    await pipeline(body, createFileSink(file));
    call?.signal?.throwIfAborted();
  });
}

/** False when the file lies on another file system, or on one that links no files. */
async function adoptFile(root: string, path: string, source: string): Promise<boolean> {
  const partial = path + partialSuffix;
  const { made: isLinked, created } = await inFolder(
    dirname(path),
    async () => await tryLink(source, partial),
  );
  if (!isLinked) return false;
  await publish(root, path, created, async () => {
    await chmod(partial, fileMode);
    await syncFile(partial);
  });
  return true;
}

/** Shows an unfinished file under its key once `finish` has made it whole; leaves nothing of one that cannot be. */
async function publish(
  root: string,
  path: string,
  created: string | undefined,
  finish: () => Promise<void>,
): Promise<void> {
  try {
    await finish();
    await rename(path + partialSuffix, path); // readers see the whole object or none of it
    await syncFolders(dirname(path), root, created);
  } catch (error) {
    await removeFiles(root, path).catch(ignore); // what is left, the ledger knows and the sweeper finds
    throw error;
  }
}

async function sizeOf(root: string, path: string): Promise<number | undefined> {
  const found = await unlessMissing(stat(path));
  if (found === undefined) await checkFolder(root);
  return found?.isFile() === true ? found.size : undefined;
}

async function readFile(root: string, path: string, range?: ByteRange): Promise<Readable | undefined> {
  const file = await unlessMissing(open(path));
  if (file === undefined) await checkFolder(root);
  if ((await file?.stat())?.isFile() === true) return file?.createReadStream(range);
  await file?.close();
  return undefined;
}

/** Codes of a place on another file system, and of file systems and kernels that link no such file. */
const codesOfNoLink = new Set('EXDEV EPERM EMLINK ENOTSUP EOPNOTSUPP ENOSYS'.split(' '));

/** Undefined when there is no such object. */
async function linkFile(root: string, path: string, target: string): Promise<boolean | undefined> {
  if ((await sizeOf(root, path)) === undefined) return undefined;
  try {
    return await tryLink(path, target);
  } catch (error) {
    // It was removed just now, or else the folder of the target is missing.
    if (isMissing(error) && (await sizeOf(root, path)) === undefined) return undefined;
    throw error;
  }
}

/** False where files cannot be linked. */
async function tryLink(path: string, target: string): Promise<boolean> {
  try {
    await link(path, target);
    return true;
  } catch (error) {
    if (codesOfNoLink.has(codeOf(error) ?? '')) return false;
    throw error;
  }
}

async function writeProbe(root: string): Promise<void> {
  await syncFolders(root, root, await createFolders(root));
  await using probe = await open(join(root, probeName), 'w', 0o600); // truncates, so a full disk is noticed
  await probe.write(Buffer.alloc(4 * KiB));
  await probe.sync();
}

/** Rejects when the store's folder is away, for then nothing can be said about any object. */
async function checkFolder(root: string): Promise<void> {
  await (await opendir(root)).close();
}

/** Removes an object and its unfinished file for good, then the folders that this leaves empty. */
async function removeFiles(root: string, path: string): Promise<void> {
  await unlessMissing(rm(path));
  await unlessMissing(rm(path + partialSuffix));
  // The ledger forgets the key next; a power cut must not bring the file back after that.
  await unlessMissing(syncFile(dirname(path)));
  for (let each = dirname(path); each !== root; each = dirname(each)) {
    const isKept = await rmdir(each).catch(() => true); // a file is in it, or another process was faster
    if (isKept === true) return;
  }
}

async function* listKeys(root: string, prefix: string): AsyncGenerator<string> {
  const folder = await unlessMissing(opendir(join(root, prefix)));
  if (folder === undefined) return;
  for await (const entry of folder) {
    if (entry.isDirectory()) {
      if (isKey(prefix + entry.name)) yield* listKeys(root, `${prefix}${entry.name}/`);
      continue;
    }
    const { name } = entry;
    const key = prefix + (name.endsWith(partialSuffix) ? name.slice(0, -partialSuffix.length) : name);
    if (isKey(key)) yield key;
  }
}

/** Makes something in a folder that is created when it is missing; `created` is the topmost folder that did not exist. */
async function inFolder<T>(folder: string, make: () => Promise<T>) {
  for (let retry = 0; ; retry += 1) {
    try {
      const created = await createFolders(folder);
      return { made: await make(), created };
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
  const last = created !== undefined && root.startsWith(created) ? dirname(created) : root;
  for (let each = folder; each !== last; each = dirname(each)) await syncFile(each);
  await syncFile(last);
}

/** The topmost folder that did not exist. */
async function createFolders(folder: string): Promise<string | undefined> {
  return await mkdir(folder, { recursive: true, mode: 0o700 });
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

/** Returns what `work` returns, or undefined when the file or folder that it is about is not there. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
