import { createFairQueue } from '../lib/concurrency/fair-queue.ts';
import { isResourceError } from '../lib/errors.ts';
import { endsWithin } from '../lib/concurrency/with-timeout.ts';
import { GiB, KiB, MiB } from '../lib/units.ts';
import { exportProblems } from '../messages/tables/english.ts';
import type { ByteRange } from '../object-store/object-store.ts';
import { createGrowingFile, freeBytesOf, type NamelessFile, prepareFolder } from './nameless.ts';
import { Abandoned, createRoom, type RoomLimits } from './room.ts';
import { createSpooledFile, type Reader, type SpooledFile } from './spooled-file.ts';

/** A plain GET waits for at most this many bytes. */
const begunBytes = 16 * MiB;
const usualBeginMs = 2000;
/** Bytes that are collected before a write to disk. */
const writtenAtOnce = 256 * KiB;
/** Maximum duration of writing a file. */
const maxWritingMs = 1800 * 1000;
const maxWaitingOfClient = 64;

export interface SpoolOptions extends Partial<RoomLimits> {
  /** Folder of the files; created on first use. */
  readonly folder: string;
  /** Time after which the answer begins although the file is incomplete. */
  readonly beginMs?: number;
}

/** Source of the bytes of a file: a stream, or a complete file. */
export type FileSource = (signal: AbortSignal) => AsyncIterable<Uint8Array | string> | Promise<NamelessFile>;

export interface AskedFile {
  /** Identifies the contents: equal keys have equal bytes. */
  readonly key: string;
  /** The client, for turns and quotas. */
  readonly client: string;
  readonly source: FileSource;
  /** Called before a file is written. @throws to refuse the request */
  readonly charge: () => void;
  /** Returns whether writing takes long. */
  readonly isLong: () => Promise<boolean>;
  /** Condition to wait for: the complete file, or enough bytes to begin the answer. */
  readonly until: 'whole' | 'begun';
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A file that a request holds until disposal. */
export interface TakenFile extends Disposable {
  /** Undefined until the file is complete. */
  readonly sizeBytes: number | undefined;
  /** Aborts when others need the space of a stalled reader. */
  readonly cut: AbortSignal;
  read(range?: ByteRange): AsyncGenerator<Buffer>;
}

export type Spool = ReturnType<typeof createSpool>;

/**
 * Creates the spool of a process: files that are written on request, once for all clients, with clients taking turns;
 * bounded in bytes, files and time.
 */
export function createSpool({ folder, beginMs = usualBeginMs, ...limits }: SpoolOptions) {
  const tooMany = () => exportProblems.tooManyWaiting(maxWaitingOfClient);
  const turns = { maxWaitingOfClient, tooMany };
  const short = createFairQueue({ ...turns, places: 2, placesOfClient: 2 });
  const long = createFairQueue({ ...turns, places: 3, placesOfClient: 2 });
  /** Requested files that wait for their turn, by key. */
  const announced = new Map<string, { waiting: number; begun: AbortController; file?: SpooledFile }>();
  const underWay = new Set<Promise<void>>();
  const room = createRoom({ maxBytes: 8 * GiB, maxFiles: 1024, keepMs: 300_000, stillMs: 10_000, ...limits });

  /** Waits for the turn of a file; a request of another client for the same file may have its turn sooner. */
  async function begin({ key, client, source, charge, isLong, signal }: AskedFile): Promise<SpooledFile> {
    charge();
    const queue = (await isLong()) ? long : short;
    const found = room.find(key);
    if (found !== undefined) return found;
    const one = announced.get(key) ?? { waiting: 0, begun: new AbortController() };
    announced.set(key, one);
    one.waiting += 1;
    try {
      const place = await queue.enter(client, AbortSignal.any([signal, one.begun.signal]));
      if (one.file !== undefined) {
        place[Symbol.dispose]();
        return one.file;
      }
      const file = createSpooledFile(key);
      try {
        room.keep(file);
      } catch (error) {
        place[Symbol.dispose]();
        throw error;
      }
      one.file = file;
      announced.delete(key);
      one.begun.abort();
      const writing = write(file, source, place).finally(() => underWay.delete(writing));
      underWay.add(writing);
      return file;
    } catch (error) {
      if (one.file === undefined || signal.aborted) throw error;
      return one.file;
    } finally {
      one.waiting -= 1;
      if (one.waiting === 0 && announced.get(key) === one) announced.delete(key);
    }
  }

  async function write(file: SpooledFile, source: FileSource, place: Disposable): Promise<void> {
    const late = AbortSignal.timeout(maxWritingMs);
    const signal = AbortSignal.any([file.writing.signal, late]);
    try {
      await prepareFolder(folder);
      const made = source(signal);
      if (Symbol.asyncIterator in made) await writeAll(file, made, signal);
      else await adopt(file, await made);
      signal.throwIfAborted();
      file.finish();
    } catch (error) {
      room.drop(file);
      if (file.writing.signal.aborted) file.fail(file.writing.signal.reason);
      else if (late.aborted) file.fail(exportProblems.tookTooLong().because(error));
      else file.fail(isResourceError(error) ? exportProblems.diskFull().because(error) : error);
    } finally {
      place[Symbol.dispose]();
      room.closeUnused(file);
    }
  }

  async function writeAll(
    file: SpooledFile,
    made: AsyncIterable<Uint8Array | string>,
    signal: AbortSignal,
  ): Promise<void> {
    const content = createGrowingFile(folder);
    file.grow(content);
    let [waiting, bytes, checkedAt]: [Buffer[], number, number] = [[], 0, -Infinity];
    const flush = async (): Promise<void> => {
      if (content.sizeBytes - checkedAt >= begunBytes) {
        room.needDisk(await freeBytesOf(folder));
        checkedAt = content.sizeBytes;
      }
      room.take(file, bytes);
      await content.append(waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
      file.grow(content);
    };
    for await (const piece of made) {
      signal.throwIfAborted();
      const some =
        typeof piece === 'string'
          ? Buffer.from(piece)
          : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      waiting.push(some);
      bytes += some.length;
      if (bytes >= writtenAtOnce) await flush();
    }
    await flush();
  }

  async function adopt(file: SpooledFile, made: NamelessFile): Promise<void> {
    file.grow(made);
    room.take(file, made.sizeBytes);
  }

  /** Resolves when a file is complete or has enough bytes; for long files, at the first bytes. */
  async function hasBegun(file: SpooledFile): Promise<void> {
    const enough = file.reaches(begunBytes);
    if (!(await endsWithin(beginMs, enough))) await file.reaches(1);
  }

  async function join({ client, until, signal }: AskedFile, file: SpooledFile): Promise<TakenFile> {
    const reader: Reader = { client, movedAt: performance.now(), cut: new AbortController() };
    room.join(file, reader);
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      signal.throwIfAborted();
      const ready = until === 'whole' ? file.reaches(Infinity) : hasBegun(file);
      await Promise.race([ready, gone.promise]);
    } catch (error) {
      room.leave(file, reader);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    reader.movedAt = performance.now();
    return {
      sizeBytes: file.isWhole() ? file.sizeBytes() : undefined,
      cut: reader.cut.signal,
      read: (range) => file.read(reader, range),
      [Symbol.dispose]: () => room.leave(file, reader),
    };
  }

  return {
    /** Counts: waiting and running files, stored files and their bytes, readers. */
    facts: () => ({ waiting: short.waiting() + long.waiting(), writing: underWay.size, ...room.facts() }),
    /**
     * Returns the file of a key, writing it if necessary; the caller disposes of it. @throws {Problem} `too_many` for a client above its
     * quota, `busy` if there is no space, `invalid` for too large a file; the error of the source; the reason of `signal`.
     */
    async take(asked: AskedFile): Promise<TakenFile> {
      for (;;) {
        asked.signal.throwIfAborted();
        try {
          return await join(asked, room.find(asked.key) ?? (await begin(asked)));
        } catch (error) {
          // All earlier requests for the file were cancelled just before this one.
          if (!(error instanceof Abandoned)) throw error;
        }
      }
    },
    /** Aborts all writing, and releases all files without readers. */
    async close(): Promise<void> {
      room.close();
      await Promise.allSettled(underWay);
    },
  };
}
