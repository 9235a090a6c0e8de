import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { MiB } from '../lib/units.ts';

/** Maximum number of bytes that wait during a write; they are written together afterwards. */
const bufferedBytes = MiB;
/** The file is synced each time that this many bytes have been written. */
const syncEveryBytes = 32 * MiB;

/**
 * Writes to the end of a new file, which is durable when the stream has finished, and closed. Syncs while more bytes
 * come, instead of only at the end.
 */
export function createFileSink(file: FileHandle): Writable {
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  let syncError: unknown;

  function syncBeside(): void {
    if (unsyncedBytes < syncEveryBytes || syncing !== undefined) return;
    unsyncedBytes = 0;
    syncing = file
      .datasync()
      .catch((error: unknown) => {
        syncError ??= error;
      })
      .finally(() => {
        syncing = undefined;
      });
  }

  async function writeAll(chunks: readonly Buffer[]): Promise<void> {
    let left = chunks;
    while (left.length > 0) {
      const { bytesWritten } = await file.writev(left);
      unsyncedBytes += bytesWritten;
      left = afterBytes(left, bytesWritten);
    }
    // The system reports a failed page only once: an earlier error must not be lost.
    if (syncError !== undefined) throw syncError;
    syncBeside();
  }

  async function finish(): Promise<void> {
    await syncing;
    if (syncError !== undefined) throw syncError;
    await file.sync();
  }

  async function close(): Promise<void> {
    await syncing;
    await file.close();
  }

  return new Writable({
    highWaterMark: bufferedBytes,
    writev(chunks, done) {
      const buffers: readonly { readonly chunk: Buffer }[] = chunks;
      void tell(writeAll(buffers.map(({ chunk }) => chunk)), done);
    },
    write(chunk: Buffer, _encoding, done) {
      void tell(writeAll([chunk]), done);
    },
    final(done) {
      void tell(finish(), done);
    },
    destroy(reason, done) {
      void tell(close(), (error) => done(reason ?? error ?? null));
    },
  });
}

async function tell(work: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await work;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  done(failure);
}

function afterBytes(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  let skipped = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (skipped + chunk.length > bytes) return [chunk.subarray(bytes - skipped), ...chunks.slice(index + 1)];
    skipped += chunk.length;
  }
  return [];
}
