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
  type ComposeCall,
  type ObjectStore,
  type OpenObject,
  type Piece,
  type PieceRange,
  type StoreCall,
} from './object-store.ts';
import { createFileSink } from './file-sink.ts';
import { createOpenFiles } from './open-files.ts';

/** A name with a leading dot is not a key, and never appears in `keys()`. */
const probeName = '.check';
const maxOpenRetries = 20;
const fileMode = 0o600;
/** Bytes of pieces that are read ahead while earlier ones are written. */
const readAheadBytes = 4 * MiB;

/**
 * Embedded default: objects as files under one folder. A key is the path below it; folders are created and removed with
 * their contents. A key is put only once, so that its unfinished file needs no unique name.
 */
export function createDirectoryObjectStore(folder: string): ObjectStore {
  const root = resolve(folder);
  const openFiles = createOpenFiles();
  const objectPath = (key: string): string => {
    if (!isKey(key)) throw new Error(`not an object key: ${key}`);
    return join(root, key);
  };

  async function openFile(path: string): Promise<OpenObject | undefined> {
    const file = await unlessMissing(openFiles.open(path));
    if (file === undefined) await checkFolder(root);
    return file;
  }

  return {
    isFolder: true,
    put: (key, body, call) => ofStore(async () => await putFile(root, objectPath(key), body, call)),
    adopt: (key, path) => ofStore(async () => await adoptFile(root, objectPath(key), path)),
    compose: (key, pieces, call) =>
      ofStore(async () => {
        call?.signal?.throwIfAborted();
        const stretch = async (range: PieceRange) =>
          await openFile('key' in range ? objectPath(range.key) : range.path);
        const reading = { objectMode: false, highWaterMark: readAheadBytes };
        await putFile(root, objectPath(key), Readable.from(bytesOf(pieces, stretch, call), reading), call);
        return true;
      }),
    size: (key) => ofStore(async () => await sizeOf(root, objectPath(key))),
    read: (key, range) =>
      ofStore(async () => {
        const object = await readFile(root, objectPath(key), range);
        if (object === undefined) throw new ObjectMissing(key);
        return object;
      }),
    link: (key, path) =>
      ofStore(async () => {
        const isLinked = await linkFile(root, objectPath(key), path);
        if (isLinked === undefined) throw new ObjectMissing(key);
        return isLinked;
      }),
    open: async (key) => {
      const path = objectPath(key);
      const kept = openFiles.openKept(path);
      return ofThisStore(kept ?? (await ofStore(async () => await openFile(path))));
    },
    remove: (key) =>
      ofStore(async () => {
        const path = objectPath(key);
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

/** Error codes of a file system that is full, broken, inaccessible or missing. */
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

/** Wraps an open file so that its errors become those of the store. */
function ofThisStore(file: OpenObject | undefined): OpenObject | undefined {
  if (file === undefined) return undefined;
  return { ...file, fill: (bytes, start) => ofStore(async () => await file.fill(bytes, start)) };
}

async function putFile(root: string, path: string, body: Readable, call?: StoreCall): Promise<void> {
  // Until the pipeline listens, an error of the body must not crash the process.
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

/** Returns false if the file is on another file system, or on one without hard links. */
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

/** Renames an unfinished file to its key after `finish` has completed it; removes it on failure. */
async function publish(
  root: string,
  path: string,
  created: string | undefined,
  finish: () => Promise<void>,
): Promise<void> {
  try {
    await finish();
    await rename(path + partialSuffix, path); // readers see the complete object or nothing
    await syncFolders(dirname(path), root, created);
  } catch (error) {
    await removeFiles(root, path).catch(ignore); // the ledger knows any remainder, and the sweeper removes it
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

/** Error codes of another file system, and of file systems and kernels that do not support this hard link. */
const codesOfNoLink = new Set('EXDEV EPERM EMLINK ENOTSUP EOPNOTSUPP ENOSYS'.split(' '));

/** Returns undefined if there is no such object. */
async function linkFile(root: string, path: string, target: string): Promise<boolean | undefined> {
  if ((await sizeOf(root, path)) === undefined) return undefined;
  try {
    return await tryLink(path, target);
  } catch (error) {
    // It was removed just now, or the folder of the target is missing.
    if (isMissing(error) && (await sizeOf(root, path)) === undefined) return undefined;
    throw error;
  }
}

/** Returns false if files cannot be linked. */
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
  await using probe = await open(join(root, probeName), 'w', 0o600); // truncates, so that a full disk is noticed
  await probe.write(Buffer.alloc(4 * KiB));
  await probe.sync();
}

/** Rejects if the store's folder is missing, because then no object can be found. */
async function checkFolder(root: string): Promise<void> {
  await (await opendir(root)).close();
}

/** Removes an object and its unfinished file durably, then the folders that become empty. */
async function removeFiles(root: string, path: string): Promise<void> {
  await unlessMissing(rm(path));
  await unlessMissing(rm(path + partialSuffix));
  // The ledger forgets the key next; a power cut must not restore the file after that.
  await unlessMissing(syncFile(dirname(path)));
  for (let each = dirname(path); each !== root; each = dirname(each)) {
    const isKept = await rmdir(each).catch(() => true); // it contains a file, or another process was faster
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

/** Runs `make` in a folder that is created if missing; `created` is the topmost folder that was created. */
async function inFolder<T>(folder: string, make: () => Promise<T>) {
  for (let retry = 0; ; retry += 1) {
    try {
      const created = await createFolders(folder);
      return { made: await make(), created };
    } catch (error) {
      // A concurrent removal has just removed the empty folder.
      if (!isMissing(error) || retry === maxOpenRetries) throw error;
    }
  }
}

/**
 * Makes the directory entries of a file and of all folders above it durable. All of them, because an existing folder
 * may come from a concurrent put that has not synced it yet; syncing an unchanged folder costs almost nothing.
 */
async function syncFolders(folder: string, root: string, created: string | undefined): Promise<void> {
  const last = created !== undefined && root.startsWith(created) ? dirname(created) : root;
  for (let each = folder; each !== last; each = dirname(each)) await syncFile(each);
  await syncFile(last);
}

/** Returns the topmost folder that was created. */
async function createFolders(folder: string): Promise<string | undefined> {
  return await mkdir(folder, { recursive: true, mode: 0o700 });
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

/** Returns the result of `work`, or undefined if its file or folder does not exist. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

const chunkBytes = MiB;

/**
 * Reads pieces in order. @param open returns undefined for a missing object.
 * @throws {ObjectMissing} @throws {Error} if a piece exceeds its object or file.
 */
async function* bytesOf(
  pieces: readonly Piece[],
  open: (range: PieceRange) => Promise<OpenObject | undefined>,
  { signal, onBytes = ignore }: ComposeCall = {},
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if ('bytes' in piece) {
      onBytes(piece.bytes);
      yield piece.bytes;
      continue;
    }
    using file = await open(piece);
    if (file === undefined) throw missing(piece);
    refuseBeyond(piece, file.sizeBytes);
    const end = piece.start + piece.length;
    for (let start = piece.start; start < end; start += chunkBytes) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - start));
      await file.fill(chunk, start);
      onBytes(chunk);
      yield chunk;
    }
  }
}

function missing(range: PieceRange): Error {
  return 'key' in range ? new ObjectMissing(range.key) : new Error('a file is missing that a piece is of');
}

function refuseBeyond({ start, length }: PieceRange, sizeBytes: number): void {
  if (start < 0 || length < 0 || start + length > sizeBytes)
    throw new Error(`a piece from byte ${start} on of ${length} bytes reaches beyond ${sizeBytes}`);
}
