import { type FileHandle, open } from 'node:fs/promises';
import type { OpenObject } from './object-store.ts';

const defaultLimits = {
  /** A file that is removed by another process takes its space on the disk for so long, and is no longer readable then. */
  keepMs: 1000,
  /** Those in use come on top. */
  maxKept: 128,
};

interface Kept {
  readonly opening: Promise<{ readonly file: FileHandle; readonly sizeBytes: number } | undefined>;
  readonly timer: NodeJS.Timeout;
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
    const fresh: Kept = { opening: openRegular(path), timer, users: 0 };
    kept.set(path, fresh);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) forget(oldest);
    return fresh;
  }

  /** Has the next reader open the file anew; it is closed when the last one that reads it now lets go. */
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

  return {
    /** Opens a file, or gives undefined when it is no regular one; rejects as `open` of the file system does. */
    async open(path: string): Promise<OpenObject | undefined> {
      const shared = kept.get(path) ?? keep(path);
      shared.users += 1;
      const opened = await shared.opening.catch((error: unknown) => {
        discard(path, shared);
        throw error;
      });
      if (opened === undefined) return discard(path, shared);
      const { file, sizeBytes } = opened;
      return {
        sizeBytes,
        fill: (bytes, start) => fill(file, bytes, start),
        [Symbol.dispose]: () => letGo(path, shared),
      };
    },
    forget,
  };

  /** What could not be opened may be there at the next try. */
  function discard(path: string, shared: Kept): undefined {
    if (kept.get(path) === shared) forget(path);
    letGo(path, shared);
  }
}

async function openRegular(path: string): Promise<{ file: FileHandle; sizeBytes: number } | undefined> {
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
