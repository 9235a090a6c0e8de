import { withinAnswerTime } from './shared-reads.ts';

type Asking<T> = PromiseWithResolvers<T | undefined> & { readonly id: string };

const maxIdsPerQuery = 10_000;

/**
 * Creates a reader of rows by id that asks for many in one statement: whoever asks while one is under way shares the next.
 * Any number of askers costs one connection, and an answer is never older than its question. A statement that hangs fails
 * those who share it after five seconds, and nobody else.
 * @param readRows gets each id once; an id without a row is answered undefined.
 */
export function createRowLoader<T extends { readonly id: string }>(
  readRows: (ids: readonly string[]) => Promise<readonly T[]>,
): (id: string) => Promise<T | undefined> {
  const waiting: Asking<T>[] = [];
  let isReading = false;

  async function readAll(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) await answer(waiting.splice(0, maxIdsPerQuery));
    isReading = false;
  }

  async function answer(asked: readonly Asking<T>[]): Promise<void> {
    try {
      const rows = await withinAnswerTime(readRows([...new Set(asked.map(({ id }) => id))]));
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { id, resolve } of asked) resolve(byId.get(id));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return async (id) => {
    const asking = { id, ...Promise.withResolvers<T | undefined>() };
    waiting.push(asking);
    if (!isReading) void readAll();
    return await asking.promise;
  };
}
