import { createShareNext } from '../lib/concurrency/single-flight.ts';
import { withTimeout } from '../lib/concurrency/with-timeout.ts';
import { DatabaseSilent } from './unavailable.ts';

/** The longest time for which those who come later wait for a read that may hang. */
const answerMs = 5000;

/**
 * Creates a reader of rows by id that asks for many in one statement: those who ask while one is under way share the next.
 * Any number of askers costs one connection, and an answer is never older than its question. A statement that hangs fails
 * those who share it after five seconds.
 * @param readRows gets each id once; an id without a row is answered undefined.
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

/** Returns the result of a short read. @throws {DatabaseSilent} when it takes longer than five seconds. */
export async function withinAnswerTime<T>(read: Promise<T>): Promise<T> {
  return await withTimeout(answerMs, read, () => new DatabaseSilent());
}
