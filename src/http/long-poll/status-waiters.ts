import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import type { Listener } from '../../database/listener.ts';
import { createRowLoader, withinAnswerTime } from '../../database/row-loader.ts';
import { subscribeToStatusNews } from '../../database/news.ts';
import type { Database, DatasetStatus } from '../../database/tables/tables.ts';

const bucketMs = 250;
const defaultSweepMs = 1000;

export type StatusWaiters = ReturnType<typeof createStatusWaiters>;

/** The part of an answer that a waiter needs. */
type ClosingAnswer = Pick<ServerResponse, 'destroyed' | 'once' | 'off'>;

interface WaitOptions {
  /** The status that the client knows; absent for an immediate answer. */
  readonly current?: DatasetStatus | undefined;
  readonly waitSeconds: number;
  /**
   * The answer to the client, which closes when the client leaves. An AbortSignal for each of thousands of waiters
   * takes more memory than everything else.
   */
  readonly answer: ClosingAnswer;
}

interface StatusWaitersOptions {
  readonly db: Database;
  readonly listener: Listener;
  readonly draining: AbortSignal;
  /** Above this number, every waiter is answered at once. */
  readonly maxWaiters?: number;
  /** Interval of database queries that catch up on lost notifications. */
  readonly sweepMs?: number;
}

interface Waiter {
  readonly current: DatasetStatus;
  readonly bucket: number;
  /** Makes the waiter read the status again. */
  wake(): void;
  /** Makes the waiter answer with the current status, changed or not. */
  release(): void;
}

/** Creates long polls on the statuses of datasets. They hold no database connection: one LISTEN and one timer serve all of them. */
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

  /** Wakes polls whose notification was lost. */
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
      // The database is unavailable: the next sweep retries, and expired waiters are answered below.
    } finally {
      isSweeping = false;
    }
  }

  const timer = setInterval(() => {
    const now = Math.floor(Date.now() / bucketMs); // rounded down: no waiter is answered early
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
    /** The number of waiting polls. */
    get size() {
      return size;
    },
    /**
     * Returns the state of a dataset: at once if it differs from `current`, otherwise when it changes, when
     * `waitSeconds` have passed, or when the service drains. A notification of a status that has already passed does
     * not cause an answer. Undefined if the dataset does not exist or has been deleted.
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
      // Register, then read, then wait: this does not miss a change between the read and the wait.
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
    /** The number of waiting requests. */
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
