import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { ignore } from '../lib/concurrency/promises.ts';
import { MiB } from '../lib/units.ts';
import {
  lengthOf,
  StoreUnavailable,
  type ObjectStore,
  type OpenObject,
  type StoreCall,
} from './object-store.ts';

export interface StoreDeadlines {
  /** Timeout of an answer, and of the next bytes of a body in either direction. */
  readonly answerMs: number;
  /** At the end of a put, the store has one more second per this many bytes, to make them durable. */
  readonly bytesPerSecond: number;
}

const usual: StoreDeadlines = { answerMs: 6000, bytesPerSecond: 8 * MiB };

/**
 * Adds timeouts to a store of any driver: an unanswered call rejects with `StoreUnavailable`, and so does a body that stalls in the store.
 * The driver is informed by the signal of the call. A client that sends or reads slowly is not a fault of the store.
 */
export function withDeadlines(store: ObjectStore, deadlines: Partial<StoreDeadlines> = {}): ObjectStore {
  const { answerMs, bytesPerSecond } = { ...usual, ...deadlines };
  const msFor = (bytes: number): number => answerMs + (bytes / bytesPerSecond) * 1000;

  async function answer<T>(
    call: StoreCall | undefined,
    work: (inner: StoreCall) => Promise<T>,
    ms = answerMs,
  ) {
    const watch = watchFor(call, ms);
    try {
      return await Promise.race([work({ signal: watch.signal }), watch.over]);
    } finally {
      watch.end();
    }
  }

  function guardedOpen(file: OpenObject): OpenObject {
    const fill: OpenObject['fill'] = async (...range) =>
      await answer(undefined, async () => await file.fill(...range));
    return { ...file, fill };
  }

  return {
    isFolder: store.isFolder === true,
    async put(key, body, call) {
      const watch = watchFor(call, answerMs);
      const passage = Readable.from(passOn(body, watch, msFor), { objectMode: false });
      passage.on('error', ignore); // handled by the store
      const putting = store.put(key, passage, { ...call, signal: watch.signal });
      try {
        await Promise.race([putting, watch.over]);
      } catch (error) {
        passage.destroy();
        body.destroy();
        void removeLate(store, key, putting);
        throw error;
      } finally {
        watch.end();
      }
    },
    async adopt(key, path, call) {
      const bytes = (await stat(path).catch(() => undefined))?.size ?? 0;
      return await answer(call, async (inner) => await store.adopt(key, path, inner), msFor(bytes));
    },
    async compose(key, pieces, call) {
      const bytes = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
      const watch = watchFor(call, msFor(bytes));
      const composing = store.compose(key, pieces, { ...call, signal: watch.signal });
      try {
        return await Promise.race([composing, watch.over]);
      } catch (error) {
        void removeLate(store, key, composing);
        throw error;
      } finally {
        watch.end();
      }
    },
    size: async (key, call) => await answer(call, async (inner) => await store.size(key, inner)),
    async read(key, range, call) {
      // The signal of this call ends with its answer, so that the caller's signal guards the body.
      const body = await answer(call, async (inner) => await store.read(key, range, inner));
      const guarded = guardBody(body, answerMs);
      return call?.signal === undefined ? guarded : addAbortSignal(call.signal, guarded);
    },
    link: async (key, path, call) => await answer(call, async (inner) => await store.link(key, path, inner)),
    remove: async (key, call) => await answer(call, async (inner) => await store.remove(key, inner)),
    async *keys(call) {
      const keys = store.keys(call)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await answer(call, async () => await keys.next());
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        // If it hangs, so does its end.
        keys.return?.().catch(ignore);
      }
    },
    check: async (call) => await answer(call, async (inner) => await store.check(inner)),
    async open(key, call) {
      const file = await answer(call, async (inner) => await store.open(key, inner));
      return file === undefined ? undefined : guardedOpen(file);
    },
  };
}

/** Timer of one call. */
export interface Watch {
  /** Aborts with the caller's signal, and on timeout. */
  readonly signal: AbortSignal;
  /** Rejects on abort. */
  readonly over: Promise<never>;
  /** Restarts the timer. */
  begin(ms: number): void;
  /** Pauses the timer until it restarts. */
  hold(): void;
  end(): void;
}

/** Starts the timer of a call. */
export function watchFor(call: StoreCall | undefined, ms: number): Watch {
  const late = new AbortController();
  const given = call?.signal;
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(ignore);
  const giveUp = (reason: unknown): void => {
    reject(reason);
    late.abort(reason);
  };
  const onAbort = (): void => giveUp(given?.reason);
  if (given?.aborted === true) onAbort();
  else given?.addEventListener('abort', onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const hold = (): void => clearTimeout(timer);
  const begin = (within: number): void => {
    hold();
    timer = setTimeout(() => giveUp(noAnswer(within)), within);
  };
  begin(ms);
  return {
    signal: late.signal,
    over,
    begin,
    hold,
    end(): void {
      hold();
      given?.removeEventListener('abort', onAbort);
    },
  };
}

/** Passes a body on to the store; the timer is paused while the body has no data. */
async function* passOn(
  body: Readable,
  watch: Watch,
  msFor: (bytes: number) => number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  watch.hold();
  for await (const chunk of body) {
    bytes += chunk.length;
    watch.begin(msFor(0));
    yield chunk;
    watch.hold();
  }
  watch.begin(msFor(bytes));
}

/**
 * Passes on a body from the store. It fails if the store sends nothing for `idleMs` while the reader wants more; a slow
 * reader causes no failure. A dropped body releases its source at once.
 * @param meaning translates an error of the source.
 */
export function guardBody(
  source: Readable,
  idleMs: number,
  meaning: (error: unknown) => unknown = (error) => error,
): Readable {
  let idle: NodeJS.Timeout | undefined;
  const stopWaiting = (): void => {
    clearTimeout(idle);
    idle = undefined;
  };
  const fail = (error: unknown): void => {
    const meant = meaning(error);
    body.destroy(meant instanceof Error ? meant : new Error(String(meant)));
  };
  const body = new Readable({
    read() {
      idle ??= setTimeout(() => body.destroy(noAnswer(idleMs)), idleMs);
      source.resume();
    },
    destroy(error, done) {
      stopWaiting();
      source.destroy();
      done(error);
    },
  });
  source.on('data', (chunk: Buffer) => {
    stopWaiting();
    if (!body.push(chunk)) source.pause();
  });
  source.on('end', () => {
    stopWaiting();
    body.push(null);
  });
  source.on('error', fail);
  source.on('close', () => {
    if (!source.readableEnded && !body.destroyed) fail(cutShort());
  });
  source.pause(); // until the first read
  return body;
}

function cutShort(): Error {
  return Object.assign(new Error('the store closed the connection before the end'), { code: 'ECONNRESET' });
}

/** Removes the bytes of a put that completes after it was given up: they have no owner. */
async function removeLate(store: ObjectStore, key: string, putting: Promise<unknown>): Promise<void> {
  try {
    await putting;
    await store.remove(key);
  } catch {
    // There is nothing to remove, or the sweeper retries.
  }
}

function noAnswer(ms: number): StoreUnavailable {
  return new StoreUnavailable({ cause: new Error(`no answer within ${ms / 1000} s`) });
}
