import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import type { Listener } from '../../database/listener.ts';
import { createRowLoader, withinAnswerTime } from '../../database/row-loader.ts';
import { subscribeToStatusNews } from '../../database/news.ts';
import type { Database, DatasetStatus } from '../../database/tables/tables.ts';

const bucketMs = 250;
const defaultSweepMs = 1000;

export type StatusWaiters = ReturnType<typeof createStatusWaiters>;

/** The part of an answer that is needed while it waits. */
type ClosingAnswer = Pick<ServerResponse, 'destroyed' | 'once' | 'off'>;

interface WaitOptions {
  /** The status that the client knows; absent when it wants the answer at once. */
  readonly current?: DatasetStatus | undefined;
  readonly waitSeconds: number;
  /** The answer to the client; it closes when the client goes. An AbortSignal for each of thousands takes more memory than all the rest. */
  readonly answer: ClosingAnswer;
}

interface StatusWaitersOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Above it every waiter is answered at once. */
  readonly maxWaiters?: number;
  /** The interval at which the database is asked for what a lost notification would have told. */
  readonly sweepMs?: number;
}

interface Waiter {
  readonly current: DatasetStatus;
  readonly bucket: number;
  /** Makes it look again. */
  wake(): void;
  /** Makes it answer with what it finds, changed or not. */
  release(): void;
}

/** Long polls on datasets' statuses. They hold no database connection: one LISTEN and one timer serve them all. */
export function createStatusWaiters(options: StatusWaitersOptions) {
  const { db, listener, draining, maxWaiters = 20_000, sweepMs = defaultSweepMs } = options;
  const load = createRowLoader(
    async (ids) =>
      await db
        .selectFrom('datasets')
        .select(['id', 'status', 'parse_error', 'failure', 'progress'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute(),
  );
  const byDataset = new Map<string, Set<Waiter>>();
  const byBucket = new Map<number, Set<Waiter>>();
  let size = 0;
  let isSweeping = false;

  function register(id: string, waiter: Waiter): void {
    addTo(byDataset, id, waiter);
    addTo(byBucket, waiter.bucket, waiter);
    size += 1;
  }

  function unregister(id: string, waiter: Waiter): void {
    removeFrom(byDataset, id, waiter);
    removeFrom(byBucket, waiter.bucket, waiter);
    size -= 1;
  }

  function wakeUnless(status: string | undefined, id: string): void {
    for (const waiter of byDataset.get(id) ?? []) if (waiter.current !== status) waiter.wake();
  }

  function releaseAll(): void {
    for (const waiters of byDataset.values()) for (const waiter of waiters) waiter.release();
  }

  /** Wakes the polls that a lost notification would have woken. */
  async function sweep(): Promise<void> {
    if (isSweeping || byDataset.size === 0) return;
    isSweeping = true;
    try {
      const ids = [...byDataset.keys()];
      const reading = db
        .selectFrom('datasets')
        .select(['id', 'status'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      const rows = await withinAnswerTime(reading);
      const statuses = new Map(rows.map((row) => [row.id, row.status]));
      for (const id of ids) wakeUnless(statuses.get(id), id);
    } catch {
      // The database is away: the next sweep may find it back, and whose time is up is told then.
    } finally {
      isSweeping = false;
    }
  }

  const timer = setInterval(() => {
    const now = Math.floor(Date.now() / bucketMs); // rounded down: no waiter is answered before the time is up
    for (const [bucket, waiters] of byBucket) {
      if (bucket <= now) for (const waiter of waiters) waiter.release();
    }
  }, bucketMs);
  const sweeping = setInterval(() => void sweep(), sweepMs);
  const subscription = subscribeToStatusNews(
    listener,
    (id, status) => wakeUnless(status, id),
    () => void sweep(),
  );
  draining.addEventListener('abort', releaseAll);

  return {
    /** The number of polls that wait. */
    get size() {
      return size;
    },
    /**
     * Returns the dataset's state: at once when it differs from `current`, else as soon as it does, when `waitSeconds` have
     * passed, or when the service drains. News of a status that is already past does not cause an answer. Undefined when
     * there is no such dataset, or not any more.
     */
    async wait(id: string, { current, waitSeconds, answer }: WaitOptions) {
      const isFree = size < maxWaiters && !draining.aborted && !answer.destroyed;
      if (current === undefined || waitSeconds === 0 || !isFree) return await load(id);
      let isOver = false;
      let news = Promise.withResolvers<void>();
      const waiter: Waiter = {
        current,
        bucket: Math.ceil((Date.now() + waitSeconds * 1000) / bucketMs),
        wake: () => news.resolve(),
        release: () => {
          isOver = true;
          news.resolve();
        },
      };
      // Register, then read, then wait: a change between the read and the wait is not missed.
      register(id, waiter);
      answer.once('close', waiter.release);
      try {
        for (;;) {
          const isLast = isOver;
          news = Promise.withResolvers();
          const state = await load(id);
          if (state?.status !== current || isLast) return state;
          await news.promise;
          if (answer.destroyed) return state;
        }
      } finally {
        answer.off('close', waiter.release);
        unregister(id, waiter);
      }
    },
    /** Requests that wait now. */
    count: () => size,
    async close() {
      clearInterval(timer);
      clearInterval(sweeping);
      draining.removeEventListener('abort', releaseAll);
      releaseAll();
      await subscription.close();
    },
  };
}

function addTo<K>(waiters: Map<K, Set<Waiter>>, key: K, waiter: Waiter): void {
  waiters.set(key, (waiters.get(key) ?? new Set()).add(waiter));
}

function removeFrom<K>(waiters: Map<K, Set<Waiter>>, key: K, waiter: Waiter): void {
  const remaining = waiters.get(key);
  remaining?.delete(waiter);
  if (remaining?.size === 0) waiters.delete(key);
}
