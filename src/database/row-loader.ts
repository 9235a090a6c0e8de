import { createShareNext } from '../lib/concurrency/single-flight.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { DatabaseSilent } from './unavailable.ts';

/** Maximum time for which later callers wait for a read that may hang. */
const answerMs = 5000;

/**
 * Creates a loader of rows by id that batches: callers during a read share the next one. Any number of callers uses one connection, and an
 * answer is never older than its question. A statement that hangs fails for its callers after five seconds.
 * @param readRows receives each id once; the result for an id without a row is undefined.
 */
export function createRowLoader<T extends { readonly id: string }>(
  readRows: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | undefined> {
  const share = createShareNext<ReadonlyMap<string, T>>(answerMs);
  let asked = new Set<string>();

  async function readAsked(): Promise<ReadonlyMap<string, T>> {
    const ids = [...asked];
    asked = new Set();
    const rows = await withinAnswerTime(readRows(ids));
    return new Map(rows.map((row) => [row.id, row]));
  }

  return async (id) => {
    asked.add(id);
    const rows = await share('', readAsked);
    return rows.get(id);
  };
}

/** Returns the result of a short read. @throws {DatabaseSilent} after five seconds. */
export async function withinAnswerTime<T>(read: Promise<T>): Promise<T> {
  return await withTimeout(answerMs, read, () => new DatabaseSilent());
}
