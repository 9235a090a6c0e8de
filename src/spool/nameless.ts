import { closeSync, openSync, read, unlinkSync, write } from 'node:fs';
import { mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from '../lib/error-facts.ts';

const [readAt, writeAt] = [promisify(read), promisify(write)];

/** A file that still has its name was left by a process that died in the moment in which it made it. */
const leftMs = 60_000;
const leftName = /^(?:nameless-[0-9a-f-]{36}|package-[0-9a-f-]{36}\.sqlite)$/;

/** A file without a name: nothing is left of it once it is closed, or whichever process dies. */
export interface NamelessFile extends Disposable {
  readonly sizeBytes: number;
  /** Fills `bytes` from the byte `at` on; returns how many there were. */
  read(bytes: Buffer, at: number): Promise<number>;
}

/** One that grows at its end. */
export interface GrowingFile extends NamelessFile {
  append(bytes: Uint8Array): Promise<void>;
}

/** Makes a folder for such files, and removes what is left in it. */
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
 * Makes a file, has `use` open it, and takes its name away, all at once: SQLite wants to write to a file before that.
 * @returns what `use` returns
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

/** Takes over a descriptor. */
export function namelessFile(descriptor: number, sizeBytes: number): NamelessFile {
  return {
    sizeBytes,
    read: async (bytes, at) => (await readAt(descriptor, bytes, 0, bytes.length, at)).bytesRead,
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** Makes an empty file in a folder that is prepared. */
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
