import { type FileHandle, open } from 'node:fs/promises';
import type { OpenObject } from './object-store.ts';

const defaultLimits = {
  /** A file that is removed by another process takes its space on the disk for so long, and is no longer readable then. */
  keepMs: 1000,
  /** Those in use come on top. */
  maxKept: 128,
};

interface OpenFile {
  readonly file: FileHandle;
  readonly sizeBytes: number;
}

interface Kept {
  readonly opening: Promise<OpenFile | undefined>;
  readonly timer: NodeJS.Timeout;
  /** Set when `opening` has succeeded. */
  opened: OpenFile | undefined;
  /** The readers that have not let go of it yet. */
  users: number;
}

/** Keeps files that never change open for a short time, because a map reads the same one again and again. */
export function createOpenFiles({ keepMs, maxKept } = defaultLimits) {
  /** By path, the one that has been open for longest first. */
  const kept = new Map<string, Kept>();

  function keep(path: string): Kept {
    // It does not keep the process alive: the system closes what is open then.
    const timer = setTimeout(() => forget(path), keepMs).unref();
    const fresh: Kept = { opening: openRegular(path), opened: undefined, timer, users: 0 };
    kept.set(path, fresh);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) forget(oldest);
    return fresh;
  }

  /** Makes the next reader open the file again; it is closed when the last one that reads it now lets go. */
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
    /** Opens a file that is kept open, without waiting; undefined when it is not kept. */
    openKept(path: string): OpenObject | undefined {
      const shared = kept.get(path);
      if (shared?.opened === undefined) return undefined;
      shared.users += 1;
      return use(path, shared, shared.opened);
    },
    /** Opens a file, or returns undefined when it is not a regular one; rejects as `open` of the file system does. */
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

  /** Forgets files that could not be opened: they may be there at the next try. */
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
  // Nothing was written, so nothing can be lost.
  opening.then((opened) => opened?.file.close()).catch(() => undefined);
}

async function fill(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new Error(`the file ends before byte ${start + filled}`);
    filled += bytesRead;
  }
}
