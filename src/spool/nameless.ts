import { closeSync, openSync, read, unlinkSync, write } from 'node:fs';
import { mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from '../lib/error-facts.ts';

const [readAt, writeAt] = [promisify(read), promisify(write)];

/** Age at which a file that still has its name counts as left behind by a process that died while creating it. */
const leftMs = 60_000;
const leftName = /^(?:nameless-[0-9a-f-]{36}|package-[0-9a-f-]{36}\.sqlite)$/;

/** A file without a name: it disappears when it is closed or the process dies. */
export interface NamelessFile extends Disposable {
  readonly sizeBytes: number;
  /** Fills `bytes` from offset `at`; returns the number of bytes read. */
  read(bytes: Buffer, at: number): Promise<number>;
}

/** A nameless file that grows at its end. */
export interface GrowingFile extends NamelessFile {
  append(bytes: Uint8Array): Promise<void>;
}

/** Creates a folder for nameless files, and removes leftovers. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (!leftName.test(name)) continue;
    try {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs > leftMs) await unlink(join(folder, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Creates a file, has `use` open it, and unlinks it, all synchronously: SQLite must write to a file before it is unlinked.
 * @returns the result of `use`
 */
export function withoutName<T>(folder: string, use: (path: string) => T): T {
  const path = join(folder, `nameless-${randomUUID()}`);
  closeSync(openSync(path, 'wx', 0o600));
  try {
    return use(path);
  } finally {
    unlinkSync(path);
  }
}

/** Takes ownership of a descriptor. */
export function namelessFile(descriptor: number, sizeBytes: number): NamelessFile {
  return {
    sizeBytes,
    read: async (bytes, at) => (await readAt(descriptor, bytes, 0, bytes.length, at)).bytesRead,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** Creates an empty file in a prepared folder. */
export function createGrowingFile(folder: string): GrowingFile {
  const descriptor = withoutName(folder, (path) => openSync(path, 'r+'));
  let sizeBytes = 0;
  return {
    ...namelessFile(descriptor, 0),
    get sizeBytes() {
      return sizeBytes;
    },
    async append(bytes) {
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await writeAt(descriptor, bytes, at, bytes.length - at, sizeBytes + at);
        at += bytesWritten;
      }
      sizeBytes += bytes.length;
    },
  };
}
