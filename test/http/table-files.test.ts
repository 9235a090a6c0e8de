import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openTable } from '../../src/datasets/export/open-table.ts';
import { startTestApp } from '../support/app.ts';
import { send } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { insertLargeTable, switchValues } from '../support/ready-table.ts';
import { eventually } from '../support/processes.ts';

const app = await closeAfterTests(startTestApp());
const { db, rates } = app.services;
const id = await insertLargeTable(app, 1000);
const path = `/datasets/${id}/observations.csv`;

/** What the database is doing for tables that are being sent. */
async function underWay(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and query like '%cells%' and pid <> pg_backend_pid() and xact_start is not null`.execute(
    db,
  );
  return rows[0]?.count ?? -1;
}

describe('a table as a file', () => {
  test('another mapping meanwhile changes nothing in what is being sent', async () => {
    const { unitAreas } = rates;
    const options = { withRate: false, unitAreas, signal: new AbortController().signal };
    await using table = await openTable(db, id, options);
    const cells = table.cells('rows');
    const seen = [...((await cells.next()).value ?? [])];
    assert.ok(seen.length > 0 && seen.length < 2000);
    await switchValues(app, id, { rows: 10, from: 5000 });
    for await (const some of cells) seen.push(...some);
    assert.deepEqual(
      seen.map(({ value, column }) => [value, column]),
      Array.from({ length: 2000 }, (_, index) => [Math.floor(index / 2), index % 2]),
    );
    const { text } = await send(app, path);
    assert.deepEqual(text.split('\r\n').slice(0, 3), [
      'kato,name,2020,2021',
      '100000000,,5000,5000',
      '100000001,,5001,5001',
    ]);
  });

  test('a client that goes away ends what the database does for it', async () => {
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = db.transaction().execute(async (trx) => {
      await sql`lock table observations in access exclusive mode`.execute(trx);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    try {
      const leaving = new AbortController();
      const waiting = Array.from(
        { length: 4 },
        async () => await send(app, path, { signal: leaving.signal }),
      );
      const ended = Promise.allSettled(waiting);
      await eventually('all wait', async () => (await underWay()) === 4);
      const { status, headers } = await send(app, path);
      assert.deepEqual([status, headers.get('etag')], [429, null]);
      leaving.abort();
      await ended;
      await eventually('none waits', async () => (await underWay()) === 0);
    } finally {
      release.resolve();
      await holding;
    }
    assert.equal((await send(app, path)).status, 200);
  });
});
