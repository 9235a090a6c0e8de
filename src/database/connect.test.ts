import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { summarize } from './connect.ts';

const { db, pool } = await closeAfterTests(openTestDatabase());

test('a connection that breaks between two statements of a transaction fails that transaction and nothing else', async () => {
  const transaction = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await sleep(300); // notifications arrive while no statement awaits them
    await sql`select 2`.execute(trx);
  });
  await assert.rejects(transaction);
  assert.equal((await pool.query('select 1')).rowCount, 1);
});

for (const [statement, operation, table] of [
  ['insert into "jobs" ("id", "kind") values ($1, $2)', 'insert', 'jobs'],
  ['select "id" from "datasets" where "name" = $1 for update', 'select', 'datasets'],
  ["\n    update jobs set state = 'running' where id = (select id from jobs limit 1)", 'update', 'jobs'],
  ['delete from "objects" where "key" = $1', 'delete', 'objects'],
  ['select pg_notify($1, $2)', 'select', undefined],
  ["select 'Ivanov' as name", 'select', undefined],
  ['begin', 'begin', undefined],
  ['(select 1)', 'statement', undefined],
] as const) {
  test(`${statement.trim()}: ${operation} ${table ?? 'of no table'}`, () =>
    assert.deepEqual(summarize(statement), { operation, table }));
}
