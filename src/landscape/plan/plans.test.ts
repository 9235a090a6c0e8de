import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { seedLandscape } from '../groups/seed.ts';
import { leaves } from '../model/leaves.ts';
import { getRunPlan, planDryRun, planWithoutRun } from './plan-answers.ts';
import type { LandscapePlan } from '../runs/plan-schema.ts';
import { cancelRun, getRun, recordRunFailure } from '../runs/run-rows.ts';
import { insertCategory } from '../../../test/support/datasets.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';
import {
  changeAtRandom,
  plainly,
  type PlanWorld,
  randomOf,
  withoutLostPins,
} from '../../../test/support/landscape/plan-changes.ts';
import { createPretendedRuns } from '../../../test/support/landscape/pretended-runs.ts';
import { fillGroups, groupId, insertRaster } from '../../../test/support/geo/rasters.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { repetitions } from '../../../test/support/tier.ts';

const { db } = await closeAfterTests(openTestDatabase());
const objectStore = await closeAfterTests(openTestStore());
await seedLandscape({ db, objectStore });
const category_id = await insertCategory(db);
const runs = createPretendedRuns(db, category_id);
const slots = leaves.map(({ group }) => group);

const add = async (group: string, columns: object = {}) =>
  await insertRaster(db, { dg_id: await groupId(db, group), category_id, ...columns });
const remove = async (id: string) => await db.deleteFrom('datasets').where('id', '=', id).execute();
const emptied = async () => {
  await db.deleteFrom('datasets').execute();
  await db.deleteFrom('landscape_runs').execute();
};

describe('what a run reads', () => {
  before(emptied);
  const group = 'landscape-in-dem';
  const read = async (overrides = {}) => {
    const { inputs } = await planWithoutRun(db, { overrides });
    const input = inputs.find((each) => each.group === group) ?? assert.fail();
    return [input.dataset?.id ?? null, input.because, input.waiting?.id ?? null];
  };

  test('is said with its reason, and what waits to be read instead', async () => {
    assert.deepEqual(await read(), [null, 'none', null]);
    const pending = await add(group, { status: 'pending' });
    assert.deepEqual(await read(), [null, 'none', pending]);
    const first = await add(group);
    assert.deepEqual(await read(), [first, 'only', null], 'an older upload that is pending is outranked');
    const second = await add(group);
    assert.deepEqual(await read(), [second, 'newer_upload', null]);
    const dated = await add(group, { end_date: '2020-12-31' });
    assert.deepEqual(await read(), [dated, 'later_end_date', null]);
    const later = await add(group, { end_date: '2021-12-31', status: 'processing' });
    assert.deepEqual(await read(), [dated, 'later_end_date', later]);
    await add(group, { end_date: '2030-12-31', file_type: 'vector' });
    await add(group, { end_date: '2020-12-30', status: 'failed' });
    assert.deepEqual(
      await read(),
      [dated, 'later_end_date', later],
      'neither a vector nor what is outranked',
    );
    const failed = await add(group, { end_date: '2022-12-31', status: 'failed' });
    assert.deepEqual(await read(), [dated, 'later_end_date', failed]);
    assert.deepEqual(await read({ [group]: first }), [first, 'pinned', null]);
  });

  test('comes in the order of the graph, other pinned groups behind', async () => {
    const [one, other] = [await add('landscape-33-use-zone'), await add('landscape-01-slope')];
    const overrides = { 'landscape-33-use-zone': one, 'landscape-01-slope': other };
    const { inputs, missing, nodes, error } = await planWithoutRun(db, { overrides });
    const groups = [...slots, 'landscape-01-slope', 'landscape-33-use-zone'];
    assert.deepEqual(
      inputs.map((input) => input.group),
      groups,
    );
    assert.deepEqual(
      inputs.slice(-2).map(({ dataset, because }) => [dataset?.id, because]),
      [
        [other, 'pinned'],
        [one, 'pinned'],
      ],
    );
    assert.deepEqual([missing, nodes], [slots.slice(1), []]);
    assert.equal(error, `no ready raster for input groups: ${slots.slice(1).join(', ')}`);
  });
});

describe('the plan of a run', () => {
  before(async () => {
    await emptied();
    await fillGroups(db, slots);
  });
  const reasonsOf = ({ nodes }: LandscapePlan) => new Set(nodes.map(({ reason }) => reason));

  test('is what was planned when it began, whatever is uploaded or deleted later', async () => {
    const { id } = await runs.run();
    const plan = await getRunPlan(db, id);
    assert.deepEqual([...reasonsOf(plan)], ['first']);
    assert.equal(plan.planned_at, (await getRun(db, id)).started_at);
    const again = await runs.run();
    const reused = await getRunPlan(db, again.id);
    assert.deepEqual([...reasonsOf(reused)], ['same']);
    await db.deleteFrom('datasets').execute();
    assert.deepEqual([await getRunPlan(db, id), await getRunPlan(db, again.id)], [plan, reused]);
    await fillGroups(db, slots);
    assert.deepEqual([await getRunPlan(db, id), await getRunPlan(db, again.id)], [plan, reused]);
  });

  test('is the one that it would have now while it is queued', async () => {
    const { id } = await runs.create({ params: { v1_min_s_e12: 5 } });
    const queued = await getRunPlan(db, id);
    assert.equal(queued.planned_at, null);
    assert.deepEqual(queued, await planWithoutRun(db, { params: { v1_min_s_e12: 5 } }));
    const dem = await add('landscape-in-dem');
    const later = await getRunPlan(db, id);
    assert.equal(later.inputs[0]?.dataset?.id, dem);
    await runs.begin(id);
    const { planned_at: plannedAt, ...begun } = await getRunPlan(db, id);
    assert.notEqual(plannedAt, null);
    assert.deepEqual({ planned_at: null, ...begun }, later);
    await runs.finish(id);
  });

  test('leads with the parameters where inputs have changed as well, and lists both', async () => {
    await runs.run();
    const plan = await planWithoutRun(db, { params: { v2_min_s_e4: 1 }, from_stage: 2 });
    const node = plan.nodes.find(({ node_code: code }) => code === '33') ?? assert.fail();
    assert.equal(node.reason, 'params');
    assert.deepEqual(node.params, [{ name: 'v2_min_s_e4', from: 5, to: 1 }]);
    assert.deepEqual(
      node.inputs.map(({ group, to }) => [group, to]),
      [
        ['landscape-26-sensitivity', null],
        ['landscape-31-max-suitability', null],
      ],
    );
  });

  test('says that another version of the graph has computed a node the last time', async () => {
    const { id } = await runs.run();
    await db.updateTable('landscape_runs').set({ graph_version: 7 }).where('id', '=', id).execute();
    await sql`update landscape_run_nodes set fingerprint = 'of version 7'`.execute(db);
    const plan = await planWithoutRun(db, {});
    assert.deepEqual([...reasonsOf(plan)], ['algorithm']);
    assert.ok(plan.nodes.every((node) => node.compared_with === id));
    await db.updateTable('landscape_runs').set({ graph_version: 1 }).execute();
  });

  test('that an earlier release has made has no reasons, and is compared with all the same', async () => {
    await runs.run();
    const { id } = await runs.run();
    const asOfBefore = { graph_version: null, planned_inputs: null };
    await db.updateTable('landscape_runs').set(asOfBefore).where('id', '=', id).execute();
    await db.updateTable('landscape_run_nodes').set({ plan: null }).where('run_id', '=', id).execute();
    const { nodes, inputs, planned_at: plannedAt } = await getRunPlan(db, id);
    assert.deepEqual([inputs, plannedAt === null], [[], false]);
    const run = await getRun(db, id);
    for (const [place, node] of nodes.entries()) {
      const output = run.nodes?.[place]?.outputs?.[0]?.dataset_id;
      const unrecorded = { reason: null, inputs: [], params: [], compared_with: null };
      assert.deepEqual(node, { node_code: node.node_code, action: 'reuse', ...unrecorded, output });
    }
    const next = await planWithoutRun(db, {});
    assert.ok(next.nodes.every((node) => node.reason === 'same' && node.compared_with === id));
    const other = await planWithoutRun(db, { params: { tie_priority: [5, 4, 3, 2, 1] } });
    assert.deepEqual([...reasonsOf(other)], ['same', 'params', 'inputs'], 'its graph had version 1');
  });

  test('of a run that could not begin has the error, and what was missing then', async () => {
    const lost = await add('landscape-in-ndvi');
    const { id } = await runs.create({ overrides: { 'landscape-in-ndvi': lost } });
    await remove(lost);
    // The transaction that plans is rolled back; another one records the failure.
    const fault = (await runs.begin(id)) ?? assert.fail();
    await db.transaction().execute(async (trx) => await recordRunFailure(trx, id, fault));
    const plan = await getRunPlan(db, id);
    assert.equal(plan.error, `dataset ${lost} of group landscape-in-ndvi is not available`);
    assert.equal(plan.failure?.code, 'run_fault.datasetNotAvailable');
    assert.deepEqual([plan.missing, plan.nodes], [['landscape-in-ndvi'], []]);
    assert.equal(plan.inputs.length, slots.length);
    assert.notEqual(plan.planned_at, null);
  });

  test('of a run that was cancelled while it was queued says so', async () => {
    const { id } = await runs.create();
    await cancelRun(db, id);
    const { error, missing, inputs, nodes, planned_at: plannedAt } = await getRunPlan(db, id);
    assert.deepEqual([error, missing, inputs, nodes, plannedAt], ['cancelled', [], [], [], null]);
  });

  test('of an unknown run is not found', async () => {
    await assert.rejects(getRunPlan(db, randomUUID()), { code: 'not_found' });
  });
});

const sequences = repetitions('PLAN_SEQUENCES', 2, 60);

test(`the dry run, the plan and the run agree over ${sequences} sequences of changes`, async () => {
  for (let seed = 1; seed <= sequences; seed += 1) {
    await emptied();
    await fillGroups(db, slots);
    const random = randomOf(seed);
    const made: string[] = [];
    const world: PlanWorld = {
      upload: async (group) => void (await add(group)),
      async deleteOutput(share) {
        const [id] = made.splice(Math.floor(share * made.length), 1);
        if (id !== undefined) await remove(id);
      },
      rasters: async () => (await db.selectFrom('datasets').select('id').execute()).map(({ id }) => id),
    };
    let asked = plainly;
    for (let step = 0; step < 5; step += 1) {
      asked = await withoutLostPins(world, await changeAtRandom(random, world, asked));
      const where = `seed ${seed}, step ${step}`;
      const plan = await planWithoutRun(db, asked);
      const dry = await planDryRun(db, asked);
      const { id } = await runs.create(asked);
      assert.deepEqual(await getRunPlan(db, id), plan, where);
      assert.equal(await runs.begin(id), undefined, where);
      const begun = await getRun(db, id);
      const { planned_at: plannedAt, ...stored } = await getRunPlan(db, id);
      assert.deepEqual({ planned_at: null, ...stored }, plan, where);
      assert.equal(plannedAt, begun.started_at, where);
      made.push(...(await runs.finish(id)));
      const done = await getRun(db, id);
      for (const [place, { node_code: code, action, output }] of plan.nodes.entries()) {
        const [dryNode, doneNode] = [dry.nodes?.[place], done.nodes?.[place]];
        assert.deepEqual([dryNode?.node_code, doneNode?.node_code], [code, code]);
        const [before, after] = action === 'reuse' ? ['skipped', 'skipped'] : ['pending', 'succeeded'];
        assert.deepEqual([dryNode?.status, doneNode?.status], [before, after], where);
        if (output === null) continue;
        assert.equal(dryNode?.outputs?.[0]?.dataset_id, output, where);
        assert.equal(doneNode?.outputs?.[0]?.dataset_id, output, where);
      }
    }
  }
});
