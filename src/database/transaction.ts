import { type ControlledTransaction, sql } from 'kysely';
import { DatabaseError } from 'pg';
import { inSpan } from '../tracing/tracing.ts';
import { requestProblems } from '../messages/request/english.ts';
import type { Database, Tables, Transaction } from './tables/tables.ts';

const retryableStates = new Set(['40001', '40P01']); // serialization failure, deadlock
/** Since PostgreSQL 18, `on delete restrict` has an SQLSTATE of its own. */
const foreignKeyStates = new Set(['23503', '23001']);
const maxRetries = 3;
const boundMs = 1000;
const queryCanceled = '57014';
const transactionSpan = { name: 'transaction', kind: 'internal', attributes: {} } as const;

/** `updated_at` of a changed row: now, but always later than before, even for concurrent changes. */
export const nextUpdatedAt = sql<Date>`greatest(now(), updated_at + interval '1 millisecond')`;

/** Writes further rows at the end of the transaction that creates an object. */
export type AlsoWrite<T> = (trx: Transaction, made: T) => Promise<void>;

/** Runs `work` in one transaction; repeats it up to three times after a deadlock or serialization failure. */
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

/** Reads the database as it is at one moment. */
export async function inSnapshot<T>(db: Database, read: (trx: Transaction) => Promise<T>): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** Begins a snapshot that its reader ends. It holds a connection. */
export async function beginSnapshot(db: Database): Promise<ControlledTransaction<Tables>> {
  return await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
}

/** Reads a snapshot in statements of at most a second each. @throws {Problem} `busy` when one takes longer */
export async function boundedRead<T>(db: Database, read: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    return await inSnapshot(db, async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(boundMs)}`.execute(trx);
      return await read(trx);
    });
  } catch (error) {
    throw sqlState(error) === queryCanceled ? requestProblems.listTooLong().because(error) : error;
  }
}

/** Returns the SQLSTATE of a PostgreSQL error, such as `23505` for a unique violation. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Returns the name of the violated constraint if `error` is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  return error instanceof DatabaseError && error.code === '23505' ? error.constraint : undefined;
}

/** Returns the name of the violated constraint if `error` is a foreign-key violation. */
export function foreignKeyViolation(error: unknown): string | undefined {
  const violates = error instanceof DatabaseError && foreignKeyStates.has(error.code ?? '');
  return violates ? error.constraint : undefined;
}

/** Limits that the server enforces by its own clock, even if the client is gone. */
const usualLimits = {
  statement_timeout: '30s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
} as const;

/** Statements that raise the limits of a transaction for long work. */
export const raisedLimits = "set local statement_timeout = '1h'; set local lock_timeout = '10min'";

/** Raises the limits of a transaction for long work. */
export async function raiseLimits(trx: Transaction): Promise<void> {
  await sql.raw(raisedLimits).execute(trx);
}

/**
 * Sets limits for every later session of this role in this database, unless limits are set for it, the database or the
 * server. Unlike start-up parameters, they also work behind a pooler. Must not run concurrently.
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
