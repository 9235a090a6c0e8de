import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';

describe('a database connection', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(async () => await database.close());

  test('that breaks between two statements of a transaction fails that transaction and nothing else', async () => {
    const transaction = database.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await sleep(300); // the news arrive while no statement waits for them
      await sql`select 2`.execute(trx);
    });
    await assert.rejects(transaction);
    assert.equal((await database.pool.query('select 1')).rowCount, 1);
  });
});
