import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Transaction } from '../../src/database/tables.ts';
import { nodes } from '../../src/landscape/graph/graph.ts';
import { leaves } from '../../src/landscape/model/leaves.ts';
import { createRun, getRun } from '../../src/landscape/runs/run-rows.ts';
import { planDryRun, planStoredRun } from '../../src/landscape/runs/plan-now.ts';
import type { LandscapeRun } from '../../src/landscape/runs/schema.ts';
import { seedLandscape } from '../../src/landscape/groups/seed.ts';
import { openTestDatabase } from '../support/database.ts';
import { fillGroups, groupId, insertRaster, pretendToCompute } from '../support/rasters.ts';
import { openTestStore } from '../support/store.ts';
import { closeAfterTests } from '../support/for-tests.ts';

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
const codes = nodes.map(({ code }) => code);

/** Plans a run, as a worker does first. */
async function start(run: LandscapeRun) {
  return await db.transaction().execute(async (trx: Transaction) => await planStoredRun(trx, run.id));
}

/** Starts a run of `body` and carries out its plan as far as the rows go. */
async function complete(body?: unknown): Promise<LandscapeRun> {
  const run = await createRun(parts, body);
  assert.equal(await start(run), undefined);
  const planned = await getRun(db, run.id);
  await pretendToCompute(db, run.id);
  return planned;
}

const withStatus = ({ nodes }: LandscapeRun, status: string): string[] =>
  (nodes ?? []).filter((node) => node.status === status).map((node) => node.node_code);

function nodeOf({ nodes }: LandscapeRun, code: string) {
  const node = nodes?.find(({ node_code }) => node_code === code);
  assert.ok(node !== undefined, code);
  return node;
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

test('a run over empty slots starts, says which node fails and why, and leaves its nodes alone', async () => {
  const run = await createRun(parts, undefined);
  const error = `no ready raster for input groups: ${leafGroups.join(', ')}`;
  assert.deepEqual(await start(run), { nodeCode: '01', error });
  const started = await getRun(db, run.id);
  assert.equal(started.status, 'running');
  assert.deepEqual(started.nodes, run.nodes);

  const before = await countRows();
  const planned = await planDryRun(db, undefined);
  assert.equal(planned.status, 'queued');
  assert.deepEqual(withStatus(planned, 'pending'), codes);
  assert.deepEqual(
    planned.nodes?.map((node) => [node.fingerprint, node.inputs, node.outputs, node.error]),
    codes.map((code) => ['', null, null, code === '01' ? error : null]),
  );
  assert.deepEqual(await countRows(), before);
});

test('from full slots to a run that reuses everything', async (t) => {
  const slots = await fillGroups(db, leafGroups);
  const refOf = (group: string) => ({ group, dataset_id: slots[group] });
  const refusedOnes = { status: 'failed' } as const;
  const rain = await groupId(db, 'landscape-in-precipitation');
  await insertRaster(db, { dg_id: rain, end_date: '2030-12-31', ...refusedOnes });
  await insertRaster(db, { dg_id: rain, end_date: '2030-12-31', file_type: 'vector' });

  let first: LandscapeRun | undefined;
  await t.test('the first run computes all nodes from the freshest ready rasters', async () => {
    first = await complete();
    assert.equal(first.status, 'running');
    assert.ok(first.started_at !== null);
    assert.deepEqual(withStatus(first, 'pending'), codes);
    assert.deepEqual(nodeOf(first, '03').inputs, [
      refOf('landscape-in-dem'),
      refOf('landscape-in-pet'),
      refOf('landscape-in-precipitation'),
    ]);
    assert.equal(nodeOf(first, '03').outputs, null, 'a reserved id is no output yet');
    const done = await getRun(db, first.id);
    const [output] = nodeOf(done, '03').outputs ?? [];
    assert.equal(output?.group, 'landscape-03-aridity');
    assert.deepEqual(nodeOf(first, '12').inputs, [
      { group: 'landscape-03-aridity', dataset_id: output.dataset_id },
      refOf('landscape-in-dem'),
      refOf('landscape-in-precipitation'),
    ]);
  });

  await t.test('a run is planned once', async () => {
    assert.ok(first !== undefined);
    const before = await getRun(db, first.id);
    assert.equal(await start(before), undefined);
    assert.deepEqual(await getRun(db, first.id), before);
  });

  await t.test('the next one skips them all and lists what it reuses, as a dry run says before', async () => {
    assert.ok(first !== undefined);
    const outputsOf = (run: LandscapeRun) => run.nodes?.map(({ outputs }) => outputs);
    const expected = outputsOf(await getRun(db, first.id));
    const before = await countRows();
    const planned = await planDryRun(db, {});
    assert.deepEqual(withStatus(planned, 'skipped'), codes);
    assert.deepEqual(outputsOf(planned), expected);
    assert.deepEqual(await countRows(), before);

    const run = await complete();
    assert.deepEqual(withStatus(run, 'skipped'), codes);
    assert.deepEqual(outputsOf(run), expected);
    assert.deepEqual(
      run.nodes?.map(({ fingerprint, inputs }) => ({ fingerprint, inputs })),
      first.nodes?.map(({ fingerprint, inputs }) => ({ fingerprint, inputs })),
    );
    for (const { started_at, finished_at } of run.nodes ?? []) {
      assert.ok(started_at !== null && started_at === finished_at);
    }
  });

  await t.test('an output that was deleted is made again, and not replaced by an older one', async () => {
    const again = await complete({ from_stage: 3 });
    const [newest] = nodeOf(await getRun(db, again.id), '31').outputs ?? [];
    assert.ok(newest !== undefined);
    await db.deleteFrom('datasets').where('id', '=', newest.dataset_id).execute();
    const run = await complete();
    assert.deepEqual(withStatus(run, 'pending'), ['31', '33', '34']);
    assert.equal(nodeOf(await getRun(db, again.id), '31').outputs?.[0]?.dataset_id, newest.dataset_id);
  });

  await t.test('a fresher raster takes over: greatest end_date, none last, then newest', async () => {
    const dg_id = await groupId(db, 'landscape-in-distance-road');
    const currentRoad = async () => {
      const { nodes: planned } = await planDryRun(db, undefined);
      const refs = planned?.find(({ node_code }) => node_code === '25')?.inputs;
      return refs?.find(({ group }) => group === 'landscape-in-distance-road')?.dataset_id;
    };
    const newer = await insertRaster(db, { dg_id, created_at: new Date(Date.now() + 60_000) });
    assert.equal(await currentRoad(), newer);
    const dated = await insertRaster(db, { dg_id, end_date: '2001-01-01', created_at: new Date(0) });
    assert.equal(await currentRoad(), dated);
    await insertRaster(db, { dg_id, end_date: '2000-12-31' });
    assert.equal(await currentRoad(), dated);
    const later = await insertRaster(db, { dg_id, end_date: '2001-01-02', created_at: new Date(0) });
    assert.equal(await currentRoad(), later);
  });
});
