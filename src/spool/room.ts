import { MiB } from '../lib/units.ts';
import { exportProblems } from '../messages/tables/english.ts';
import type { Reader, SpooledFile } from './spooled-file.ts';

/** Disk space that is never used. */
const spareBytes = 256 * MiB;

export interface RoomLimits {
  /** Maximum total size. One file, and all files that one client reads, may take half of it. */
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Time for which a file without readers is kept. */
  readonly keepMs: number;
  /** A reader that has taken nothing for this time can be cut off in favour of others. */
  readonly stillMs: number;
}

/** All requests for a file were cancelled while it was written. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** Creates the shared space of spooled files. Under pressure, files without readers are removed first, then those with stalled readers. */
export function createRoom({ maxBytes, maxFiles, keepMs, stillMs }: RoomLimits) {
  const shareBytes = Math.floor(maxBytes / 2);
  /** Files that requests can find, least recently used first. */
  const kept = new Map<string, SpooledFile>();
  /** All open files with their size in bytes. */
  const open = new Map<SpooledFile, number>();
  const timers = new Map<SpooledFile, NodeJS.Timeout>();
  let usedBytes = 0;
  let isClosed = false;

  /** Hides a file from new requests; current readers go on. */
  function drop(file: SpooledFile): void {
    clearTimeout(timers.get(file));
    timers.delete(file);
    if (kept.get(file.key) === file) kept.delete(file.key);
    closeUnused(file);
  }

  /** Closes a hidden file that has neither readers nor a writer. */
  function closeUnused(file: SpooledFile): void {
    if (kept.get(file.key) === file || file.readers.size > 0 || !file.hasEnded() || !open.has(file)) return;
    usedBytes -= open.get(file) ?? 0;
    open.delete(file);
    file.close();
  }

  function leave(file: SpooledFile, reader: Reader): void {
    if (!file.readers.delete(reader) || file.readers.size > 0) return;
    if (!file.hasEnded()) giveUpUnread(file);
    else if (kept.get(file.key) === file && !isClosed)
      timers.set(file, setTimeout(() => drop(file), keepMs).unref());
    else drop(file);
  }

  /** Aborts the writing of a file without readers. */
  function giveUpUnread(file: SpooledFile): void {
    if (file.hasEnded() || file.readers.size > 0) return;
    drop(file);
    file.writing.abort(new Abandoned('all who waited for the file have gone'));
  }

  const oldestIdle = () => [...kept.values()].find((file) => file.hasEnded() && file.readers.size === 0);

  /** Aborts the readers of one file whose readers have all stalled. */
  function cutStill(): boolean {
    const before = performance.now() - stillMs;
    const lastMoved = ({ readers }: SpooledFile) => Math.max(...[...readers].map(({ movedAt }) => movedAt));
    const isStill = (file: SpooledFile) =>
      file.hasEnded() &&
      lastMoved(file) <= before &&
      [...file.readers].some(({ cut }) => !cut.signal.aborted);
    const [stillest] = [...open.keys()].filter(isStill).toSorted((a, b) => lastMoved(a) - lastMoved(b));
    if (stillest === undefined) return false;
    for (const { cut } of stillest.readers) cut.abort(new Error('others need the room of the file'));
    // Its readers release it shortly.
    usedBytes -= open.get(stillest) ?? 0;
    open.set(stillest, 0);
    drop(stillest);
    return true;
  }

  /** Frees some space. @throws {Problem} `busy` if nothing can be freed. */
  function giveWay(): void {
    const idle = oldestIdle();
    if (idle !== undefined) drop(idle);
    else if (!cutStill()) throw exportProblems.noRoom();
  }

  function heldBy(client: string): number {
    let held = 0;
    for (const [{ readers }, bytes] of open)
      if ([...readers].some((reader) => reader.client === client)) held += bytes;
    return held;
  }

  return {
    facts: () => ({
      files: open.size,
      bytes: usedBytes,
      readers: [...open.keys()].reduce((sum, { readers }) => sum + readers.size, 0),
    }),
    find: (key: string): SpooledFile | undefined => kept.get(key),
    keep(file: SpooledFile): void {
      if (isClosed) throw exportProblems.noRoom();
      while (kept.size >= maxFiles) giveWay();
      kept.set(file.key, file);
      open.set(file, 0);
    },
    /** @throws {Problem} `too_many` for a client that reads too much already. */
    join(file: SpooledFile, reader: Reader): void {
      const holds = [...file.readers].some(({ client }) => client === reader.client);
      if (!holds && heldBy(reader.client) + file.sizeBytes() > shareBytes) {
        giveUpUnread(file);
        throw exportProblems.holdsTooMuch(shareBytes / MiB);
      }
      clearTimeout(timers.get(file));
      timers.delete(file);
      file.readers.add(reader);
      if (kept.delete(file.key)) kept.set(file.key, file);
    },
    leave,
    drop,
    closeUnused,
    /** Reserves space for more bytes of a file. @throws {Problem} `invalid`, `too_many` or `busy` if there is none. */
    take(file: SpooledFile, bytes: number): void {
      const own = open.get(file) ?? 0;
      if (own + bytes > shareBytes) throw exportProblems.tooLarge(shareBytes / MiB);
      const clients = new Set([...file.readers].map(({ client }) => client));
      if (clients.size > 0 && [...clients].every((client) => heldBy(client) + bytes > shareBytes))
        throw exportProblems.holdsTooMuch(shareBytes / MiB);
      for (const missing = () => usedBytes + bytes - maxBytes; missing() > 0;) giveWay();
      open.set(file, own + bytes);
      usedBytes += bytes;
    },
    /** Removes files without readers while the disk is nearly full. @throws {Problem} `unavailable` if it remains so. */
    needDisk(freeBytes: number): void {
      let missing = spareBytes - freeBytes;
      for (let idle = oldestIdle(); missing > 0 && idle !== undefined; idle = oldestIdle()) {
        missing -= open.get(idle) ?? 0;
        drop(idle);
      }
      if (missing > 0) throw exportProblems.diskFull();
    },
    close(): void {
      isClosed = true;
      for (const file of open.keys()) {
        if (!file.hasEnded()) file.writing.abort(new Error('the service ends'));
        drop(file);
      }
    },
  };
}
