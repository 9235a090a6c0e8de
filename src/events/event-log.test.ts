import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PoolClient } from 'pg';
import { openTestDatabase } from '../../test/support/database.ts';
import { insertPendingDatasets } from '../../test/support/geo/rasters.ts';
import { insertRun } from '../../test/support/landscape/stored-runs.ts';
import { closeAfterTests } from '../../test/support/for-tests.ts';
import { forgetEvents, orderEvents, readEventLog, readEvents } from './event-log.ts';

const database = await closeAfterTests(openTestDatabase());
const { db, pool } = database;

async function eventsBehind(after: number, most = 1000) {
  await orderEvents(db);
  return await readEvents(db, { after, most });
}

const lastPlace = async (): Promise<number> => {
  await orderEvents(db);
  return (await readEventLog(db)).last;
};

const setStatus = async (client: Pick<PoolClient, 'query'>, id: string, status: string) =>
  await client.query('update datasets set status = $2 where id = $1', [id, status]);

test('what commits late gets a place behind what was told already, and what is rolled back gets none', async () => {
  const [late = '', early = '', never = ''] = await insertPendingDatasets(pool, 3);
  const start = await lastPlace();
  await using slow = await begin();
  await using undone = await begin();
  await setStatus(slow.client, late, 'processing');
  await setStatus(undone.client, never, 'processing');
  await setStatus(pool, early, 'processing');
  const first = await eventsBehind(start);
  assert.deepEqual(
    first.map(({ datasetId, position }) => [datasetId, position]),
    [[early, start + 1]],
  );
  await slow.client.query('commit');
  await undone.client.query('rollback');
  const second = await eventsBehind(start + 1);
  assert.deepEqual(
    second.map(({ datasetId, position }) => [datasetId, position]),
    [[late, start + 2]],
  );
});

test('however many order at once, each event has one place, without a gap, and changes of one dataset stay in their order', async () => {
  const ids = await insertPendingDatasets(pool, 20);
  const start = await lastPlace();
  const write = async (id: string) => {
    for (const status of ['processing', 'ready', 'failed', 'pending']) {
      await setStatus(pool, id, status);
      await orderEvents(db);
    }
  };
  await Promise.all(ids.map(write));
  const events = await eventsBehind(start);
  assert.deepEqual(
    events.map(({ position }) => position),
    Array.from({ length: 80 }, (_, index) => start + 1 + index),
  );
  for (const id of ids) {
    const told = events.filter(({ datasetId }) => datasetId === id).map(({ type }) => type);
    assert.deepEqual(told, ['dataset.status', 'dataset.ready', 'dataset.failed', 'dataset.status']);
  }
});

test('one change is one event: created, status, progress by twentieths, changed, deleted; runs, nodes and records', async () => {
  const start = await lastPlace();
  const [id = ''] = await insertPendingDatasets(pool, 1);
  await setStatus(pool, id, 'processing');
  for (const progress of [0.051, 0.06, 0.09, 0.5])
    await pool.query('update datasets set progress = $2 where id = $1', [id, progress]);
  await pool.query("update datasets set name = 'x', updated_at = now() + interval '1 second' where id = $1", [
    id,
  ]);
  await pool.query('update datasets set name = name where id = $1', [id]);
  const run = await insertRun(
    db,
    ['01', '02'].map((code) => ({ code, status: 'pending', inputs: {}, output: id })),
    'queued',
  );
  await pool.query("update landscape_runs set status = 'running', started_at = now() where id = $1", [run]);
  await pool.query("update landscape_run_nodes set status = 'running' where run_id = $1", [run]);
  await pool.query('update landscape_run_nodes set progress = 0.3 where run_id = $1', [run]);
  await pool.query('update landscape_run_nodes set progress = 0.31 where run_id = $1', [run]);
  await pool.query("update landscape_runs set status = 'succeeded', finished_at = now() where id = $1", [
    run,
  ]);
  await pool.query("insert into landscape_run_records (run_id, revision, state) values ($1, 1, 'adopted')", [
    run,
  ]);
  await pool.query('delete from dataset_files where dataset_id = $1', [id]);
  await pool.query('delete from datasets where id = $1', [id]);
  const events = await eventsBehind(start);
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'dataset.created',
      'dataset.status',
      'dataset.progress',
      'dataset.progress',
      'dataset.changed',
      'run.created',
      'run.status',
      'run.progress',
      'run.progress',
      'run.succeeded',
      'run.record',
      'dataset.deleted',
    ],
  );
  const dataOf = (index: number) => JSON.parse(events[index]?.text ?? '').data;
  assert.equal(dataOf(3).progress, 0.5);
  assert.deepEqual(dataOf(7), { run_id: run, nodes: { '01': 'running', '02': 'running' }, progress: 0 });
  assert.deepEqual(dataOf(8), { run_id: run, nodes: {}, progress: 0.3 });
  assert.deepEqual(dataOf(10), { run_id: run, state: 'adopted', revision: 1 });
});

test('old events are forgotten, and more than are kept, and it is known which', async () => {
  const last = await lastPlace();
  assert.equal(await forgetEvents(db), 0);
  await pool.query("update events set made_at = now() - interval '8 days' where position <= $1", [last - 10]);
  assert.equal(await forgetEvents(db), last - 10);
  assert.deepEqual([(await readEventLog(db)).forgotten, (await eventsBehind(0)).length], [last - 10, 10]);
  assert.equal(await forgetEvents(db, { days: 7, most: 4 }), 6);
  assert.deepEqual([(await readEventLog(db)).forgotten, (await eventsBehind(0)).length], [last - 4, 4]);
});

/** Begins a transaction on its own connection, which is left open. */
async function begin() {
  const client = await pool.connect();
  await client.query('begin');
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.release();
    },
  };
}
