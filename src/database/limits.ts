import { sql } from 'kysely';
import type { Transaction } from './tables.ts';

/** Limits that the server enforces by its own clock, whatever became of the client. */
const usual = {
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
    where name = any(${Object.keys(usual)}) and reset_val = '0' and not exists (
      select from pg_db_role_setting, unnest(setconfig) as entry
      where split_part(entry, '=', 1) = name
        and setrole in (0, (select oid from pg_roles where rolname = current_user))
        and setdatabase in (0, (select oid from pg_database where datname = current_database())))`.execute(
    trx,
  );
  for (const [name, value] of Object.entries(usual)) {
    const unset = rows.find((row) => row.name === name);
    if (unset === undefined) continue;
    await sql`alter role current_user in database ${sql.id(unset.database)}
      set ${sql.raw(name)} = ${sql.lit(value)}`.execute(trx);
  }
}
