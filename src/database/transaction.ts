import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { inSpan } from '../tracing/tracing.ts';
import type { Database, Transaction } from './tables/tables.ts';

const retryableStates = new Set(['40001', '40P01']); // serialization failure, deadlock
/** Since PostgreSQL 18 `on delete restrict` says so with a state of its own. */
const foreignKeyStates = new Set(['23503', '23001']);
const maxRetries = 3;
const transactionSpan = { name: 'transaction', kind: 'internal', attributes: {} } as const;

/** The `updated_at` of a changed row: now, but always later than it was, however quick or concurrent the changes. */
export const nextUpdatedAt = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`;

/** Writes more about what is made, last in the transaction that makes it. */
export type AlsoWrite<T> = (trx: Transaction, made: T) => Promise<void>;

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

/** Limits that the server enforces by its own clock, whatever became of the client. */
const usualLimits = {
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
} as const;

/** The statements that give a transaction time for long work. */
export const raisedLimits = "set local statement_timeout = '1h'; set local lock_timeout = '10min'";

/** Allows a transaction time for long work, in the place of the limits that every other one has. */
export async function raiseLimits(trx: Transaction): Promise<void> {
  await sql.raw(raisedLimits).execute(trx);
}

/**
 * Sets limits for every session of this role, in this database alone, that begins from now on, unless others have been set
 * for it, for the database or for the server. They hold behind a pooler too, which refuses them as start-up parameters. No
 * two may do this at once.
 */
export async function setRoleLimits(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ name: string; database: string }>`
    select name, current_database() as database from pg_settings
    where name = any(${Object.keys(usualLimits)}) and reset_val = '0' and not exists (
      select from pg_db_role_setting, unnest(setconfig) as entry
      where split_part(entry, '=', 1) = name
        and setrole in (0, (select oid from pg_roles where rolname = current_user))
        and setdatabase in (0, (select oid from pg_database where datname = current_database())))`.execute(
    trx,
  );
  for (const [name, value] of Object.entries(usualLimits)) {
    const unset = rows.find((row) => row.name === name);
    if (unset === undefined) continue;
    await sql`alter role current_user in database ${sql.id(unset.database)}
      set ${sql.raw(name)} = ${sql.lit(value)}`.execute(trx);
  }
}
