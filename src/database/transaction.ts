import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { inSpan } from '../tracing/tracing.ts';
import type { Database, Transaction } from './tables.ts';

const retryableStates = new Set(['40001', '40P01']); // serialization failure, deadlock
/** Since PostgreSQL 18 `on delete restrict` says so with a state of its own. */
const foreignKeyStates = new Set(['23503', '23001']);
const maxRetries = 3;
const transactionSpan = { name: 'transaction', kind: 'internal', attributes: {} } as const;

/** The `updated_at` of a changed row: now, but always later than it was, however quick or concurrent the changes. */
export const nextUpdatedAt = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`;

/** Runs `work` in one transaction; a deadlock or serialization failure is retried silently, up to three times. */
export async function inTransaction<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return await inSpan(transactionSpan, async () => await tryTransaction(db, work));
}

async function tryTransaction<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (retry >= maxRetries || !retryableStates.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** The SQLSTATE of an error that PostgreSQL reported, such as `23505` for a unique violation. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint when `error` is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** The name of the violated constraint when `error` is a foreign-key violation. */
export function foreignKeyViolation(error: unknown): string | undefined {
  const violates = error instanceof DatabaseError && foreignKeyStates.has(error.code ?? '');
  return violates ? error.constraint : undefined;
}
