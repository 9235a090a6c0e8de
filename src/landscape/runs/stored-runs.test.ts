import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Transaction } from '../../database/tables/tables.ts';
import { leaves } from '../model/leaves.ts';
import { createRun, getRun } from './run-rows.ts';
import { planStoredRun } from '../plan/plan-now.ts';
import { seedLandscape } from '../groups/seed.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { fillGroups } from '../../../test/support/geo/rasters.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const { db } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
await seedLandscape({ db, objectStore });

const notified: string[] = [];
const parts = {
  db,
  messageQueue: {
    notify: async (jobId: string) => void notified.push(jobId),
    subscribe: async () => ({ close: async () => undefined }),
    check: async () => undefined,
    close: async () => undefined,
  },
};
const leafGroups = leaves.map(({ group }) => group);

/** Plans a run, which is the first step of a worker. */
async function plan(id: string) {
  return await db.transaction().execute(async (trx: Transaction) => await planStoredRun(trx, id));
}

async function countRows() {
  const { rows } = await sql<{ runs: number; nodes: number; jobs: number }>`
    select (select count(*) from landscape_runs) as runs, (select count(*) from landscape_run_nodes) as nodes,
           (select count(*) from jobs) as jobs`.execute(db);
  return rows[0];
}

test('a run that is refused leaves nothing, not even a notification', async () => {
  const before = [await countRows(), notified.length];
  await assert.rejects(createRun(parts, { overrides: { 'landscape-in-dem': randomUUID() } }), {
    message: 'overrides.landscape-in-dem: dataset not found',
  });
  assert.deepEqual([await countRows(), notified.length], before);
});

test('a run is planned once', async () => {
  await fillGroups(db, leafGroups);
  const run = await createRun(parts, undefined);
  assert.equal(await plan(run.id), undefined);
  const before = await getRun(db, run.id);
  assert.equal(before.status, 'running');
  assert.ok(before.nodes?.every(({ fingerprint, outputs }) => fingerprint !== '' && outputs === null));
  assert.equal(await plan(run.id), undefined);
  assert.deepEqual(await getRun(db, run.id), before);
});
