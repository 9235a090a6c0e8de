import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import type { Database } from './tables/tables.ts';
import { inTransaction, raiseLimits, setRoleLimits } from './transaction.ts';
import { isDatabaseLate } from './unavailable.ts';

const { db, target } = await closeAfterTests(openTestDatabase());

const read = sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
  current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;

/** Returns the limits of a new session. */
async function ofNewSession(): Promise<unknown> {
  const client = new Client(target);
  await client.connect();
  try {
    return (await client.query(read.compile(db).sql)).rows[0];
  } finally {
    await client.end();
  }
}

describe('limits of the database role', () => {
  it('are those that an administrator has chosen, and ours for the rest', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    const name = sql.id(rows[0]?.name ?? '');
    await sql`alter database ${name} set lock_timeout = '7s'`.execute(db);
    assert.deepEqual(await ofNewSession(), { statement: '0', lock: '7s', idle: '0' });
    await inTransaction(db, setRoleLimits);
    assert.deepEqual(await ofNewSession(), { statement: '30s', lock: '7s', idle: '1min' });
    await sql`alter role current_user in database ${name} set statement_timeout = '90s'`.execute(db);
    await inTransaction(db, setRoleLimits);
    assert.deepEqual(await ofNewSession(), { statement: '90s', lock: '7s', idle: '1min' });
  });

  it('are raised for one transaction and no longer', async () => {
    const limits = async (trx: Database) => (await read.execute(trx)).rows[0];
    const raised = await inTransaction(db, async (trx) => {
      await raiseLimits(trx);
      return await limits(trx);
    });
    assert.deepEqual([raised?.['statement'], raised?.['lock']], ['1h', '10min']);
    assert.notEqual((await limits(db))?.['statement'], '1h');
  });

  it('end what is late in a way that is known as such', async () => {
    const late = inTransaction(db, async (trx) => {
      await sql`set local statement_timeout = 50`.execute(trx);
      await sql`select pg_sleep(10)`.execute(trx);
    });
    assert.equal(await late.catch(isDatabaseLate), true);
  });
});
