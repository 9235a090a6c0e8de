import { type FileHandle, open } from 'node:fs/promises';
import type { OpenObject } from './object-store.ts';

const defaultLimits = {
  /** A file that another process removes occupies its disk space for this long, and is unreadable afterwards. */
  keepMs: 1000,
  /** In addition to the files in use. */
  maxKept: 128,
};

interface OpenFile {
  readonly file: FileHandle;
  readonly sizeBytes: number;
}

interface Kept {
  readonly opening: Promise<OpenFile | undefined>;
  readonly timer: NodeJS.Timeout;
  /** Set after `opening` has succeeded. */
  opened: OpenFile | undefined;
  /** Number of readers that hold it. */
  users: number;
}

/** Keeps immutable files open for a short time, because a map reads the same one repeatedly. */
export function createOpenFiles({ keepMs, maxKept } = defaultLimits) {
  /** By path, oldest first. */
  const kept = new Map<string, Kept>();

  function keep(path: string): Kept {
    // Does not keep the process alive: the system closes open files then.
    const timer = setTimeout(() => forget(path), keepMs).unref();
    const fresh: Kept = { opening: openRegular(path), opened: undefined, timer, users: 0 };
    kept.set(path, fresh);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) forget(oldest);
    return fresh;
  }

  /** Makes the next reader open the file again; the file is closed when its last current reader releases it. */
  function forget(path: string): void {
    const forgotten = kept.get(path);
    if (forgotten === undefined) return;
    kept.delete(path);
    clearTimeout(forgotten.timer);
    if (forgotten.users === 0) close(forgotten);
  }

  function letGo(path: string, file: Kept): void {
    file.users -= 1;
    if (file.users === 0 && kept.get(path) !== file) close(file);
  }

  function use(path: string, shared: Kept, { file, sizeBytes }: OpenFile): OpenObject {
    return {
      sizeBytes,
      fill: (bytes, start) => fill(file, bytes, start),
      [Symbol.dispose]: () => letGo(path, shared),
    };
  }

  return {
    /** Returns a kept file synchronously; undefined if it is not kept. */
    openKept(path: string): OpenObject | undefined {
      const shared = kept.get(path);
      if (shared?.opened === undefined) return undefined;
      shared.users += 1;
      return use(path, shared, shared.opened);
    },
    /** Opens a file; returns undefined if it is not a regular file. Rejects with the error of `open` in the file system. */
    async open(path: string): Promise<OpenObject | undefined> {
      const shared = kept.get(path) ?? keep(path);
      shared.users += 1;
      shared.opened ??= await shared.opening.catch((error: unknown) => {
        discard(path, shared);
        throw error;
      });
      return shared.opened === undefined ? discard(path, shared) : use(path, shared, shared.opened);
    },
    forget,
  };

  /** Forgets a file that could not be opened: the next attempt may succeed. */
  function discard(path: string, shared: Kept): undefined {
    if (kept.get(path) === shared) forget(path);
    letGo(path, shared);
  }
}

async function openRegular(path: string): Promise<OpenFile | undefined> {
  const file = await open(path);
  const found = await file.stat().catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  if (found.isFile()) return { file, sizeBytes: found.size };
  await file.close();
  return undefined;
}

function close({ opening }: Kept): void {
  // Nothing was written, so that no data can be lost.
  opening.then((opened) => opened?.file.close()).catch(() => undefined);
}

async function fill(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new Error(`the file ends before byte ${start + filled}`);
    filled += bytesRead;
  }
}
