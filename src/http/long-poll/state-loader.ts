import { sql } from 'kysely';
import type { Database, DatasetStatus } from '../../database/tables.ts';

interface DatasetState {
  readonly id: string;
  readonly status: DatasetStatus;
  readonly parse_error: string | null;
}

type Request = PromiseWithResolvers<DatasetState | undefined> & { readonly id: string };

const maxIdsPerQuery = 10_000;

/**
 * Reads the states of datasets. Whoever asks while a query is under way shares the next one, so any number of
 * askers costs one connection. An answer is never older than its question.
 */
export function createStateLoader(db: Database): (id: string) => Promise<DatasetState | undefined> {
  const waiting: Request[] = [];
  let isReading = false;

  async function readAll(): Promise<void> {
    isReading = true;
    while (waiting.length > 0) await answer(waiting.splice(0, maxIdsPerQuery));
    isReading = false;
  }

  async function answer(requests: readonly Request[]): Promise<void> {
    try {
      const ids = [...new Set(requests.map(({ id }) => id))];
      const rows = await db
        .selectFrom('datasets')
        .select(['id', 'status', 'parse_error'])
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
      const states = new Map(rows.map((row) => [row.id, row]));
      for (const { id, resolve } of requests) resolve(states.get(id));
    } catch (error) {
      for (const { reject } of requests) reject(error);
    }
  }

  return async (id) => {
    const request = { id, ...Promise.withResolvers<DatasetState | undefined>() };
    waiting.push(request);
    if (!isReading) void readAll();
    return await request.promise;
  };
}
