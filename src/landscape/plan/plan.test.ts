import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LandscapeParams } from '../model/params.ts';
import { leaves } from '../model/leaves.ts';
import {
  type NodePlan,
  type PlanDependencies,
  planRun,
  type DatedRaster,
  faultOf,
  fingerprintOf,
} from './plan.ts';
import { runFaults } from '../../messages/runs/english.ts';
import type { RunInput } from '../runs/input.ts';
import { createHash } from 'node:crypto';

const params = LandscapeParams.parse({});
const plain: RunInput = { params, overrides: {}, fromStage: null };
const all = '01 02 03 04 05 11 12 13 14 21 22 23 24 25 26 31 32 33 34'.split(' ');

/** A raster in every slot; its id is the group code, without dates. */
function fullSlots(...changed: readonly (readonly [group: string, raster: DatedRaster | undefined])[]) {
  const slots = new Map<string, DatedRaster>(leaves.map(({ group }) => [group, undated(group)]));
  for (const [group, raster] of changed) {
    if (raster === undefined) slots.delete(group);
    else slots.set(group, raster);
  }
  return slots;
}

const undated = (id: string): DatedRaster => ({ id, startDate: null, endDate: null });

/** Ids of new outputs are numbered from 1. */
function partsOf(
  inputs: ReadonlyMap<string, DatedRaster>,
  earlier: ReadonlyMap<string, DatedRaster> = new Map(),
): PlanDependencies {
  let made = 0;
  return {
    inputs,
    last: new Map(),
    findEarlier: async () =>
      new Map([...earlier].map(([fingerprint, output]) => [fingerprint, { runId: 'earlier', output }])),
    newId: () => `new-${(made += 1)}`,
  };
}

async function nodesOf(wanted: RunInput, parts: PlanDependencies): Promise<readonly NodePlan[]> {
  const plan = await planRun(wanted, parts);
  assert.ok('nodes' in plan, JSON.stringify(plan));
  assert.deepEqual(codesOf(plan.nodes), all);
  return plan.nodes;
}

const find = (nodes: readonly NodePlan[], code: string): NodePlan => {
  const node = nodes.find((each) => each.code === code);
  assert.ok(node !== undefined, code);
  return node;
};

const codesOf = (nodes: readonly NodePlan[]): string[] => nodes.map(({ code }) => code);
const reused = (nodes: readonly NodePlan[]): string[] => codesOf(nodes.filter(({ reuses }) => reuses));
const computed = (nodes: readonly NodePlan[]): string[] => codesOf(nodes.filter(({ reuses }) => !reuses));
/** One id for each node. */
const newIds = all.map((_, index) => `new-${index + 1}`);
const idsOf = (nodes: readonly NodePlan[]) => nodes.map(({ outputId }) => outputId);
const periodOf = (nodes: readonly NodePlan[], code: string) => {
  const { startDate, endDate } = find(nodes, code);
  return [startDate, endDate];
};

const emptySlots = 'no ready raster for input groups';

async function expectFault(
  wanted: RunInput,
  slots: ReadonlyMap<string, DatedRaster>,
  nodeCode: string,
  error: string,
): Promise<void> {
  const plan = await planRun(wanted, partsOf(slots));
  assert.ok('fault' in plan);
  assert.deepEqual([plan.fault.nodeCode, String(plan.fault.error)], [nodeCode, error]);
}

test('a first run computes every node, each from its inputs and the elevation, sorted by group', async () => {
  const nodes = await nodesOf(plain, partsOf(fullSlots()));
  assert.deepEqual(computed(nodes), all);
  assert.deepEqual(idsOf(nodes), newIds);
  assert.deepEqual(find(nodes, '03').inputs, [
    { group: 'landscape-in-dem', dataset_id: 'landscape-in-dem' },
    { group: 'landscape-in-pet', dataset_id: 'landscape-in-pet' },
    { group: 'landscape-in-precipitation', dataset_id: 'landscape-in-precipitation' },
  ]);
  assert.deepEqual(find(nodes, '11').inputs, [
    { group: 'landscape-01-slope', dataset_id: 'new-1' },
    { group: 'landscape-in-dem', dataset_id: 'landscape-in-dem' },
    { group: 'landscape-in-soil-texture', dataset_id: 'landscape-in-soil-texture' },
  ]);
  assert.ok(nodes.every(({ inputs }) => inputs.some(({ group }) => group === 'landscape-in-dem')));
  assert.ok(nodes.every(({ fingerprint }) => /^[0-9a-f]{64}$/.test(fingerprint)));
});

test('a reused output brings its own dates along', async () => {
  const first = await nodesOf(plain, partsOf(fullSlots()));
  const { fingerprint, outputId } = find(first, '03');
  const redated = { id: outputId, startDate: '1990-01-01', endDate: '1999-12-31' };
  const nodes = await nodesOf(plain, partsOf(fullSlots(), new Map([[fingerprint, redated]])));
  assert.deepEqual(reused(nodes), ['03']);
  for (const code of ['03', '12']) assert.deepEqual(periodOf(nodes, code), ['1990-01-01', '1999-12-31']);
});

test('what an input is unfit for is planned, and blamed on the lowest node that has to read it', async () => {
  const { noCrs, noOverlap } = runFaults;
  const unfit = [
    { group: 'landscape-in-ndvi', error: noOverlap('landscape-in-ndvi') },
    { group: 'landscape-in-pet', error: noCrs('landscape-in-pet') },
  ];
  const plan = await planRun(plain, { ...partsOf(fullSlots()), unfit });
  assert.ok('nodes' in plan);
  assert.deepEqual(codesOf(plan.nodes), all);
  assert.deepEqual(plan.unfit, { nodeCode: '03', error: noCrs('landscape-in-pet') });
  const { fingerprint, outputId } = find(plan.nodes, '03');
  const earlier = partsOf(fullSlots(), new Map([[fingerprint, undated(outputId)]]));
  assert.equal(
    faultOf(await planRun(plain, { ...earlier, unfit }))?.nodeCode,
    '04',
    'nothing is read for 03',
  );
});

test('empty slots are named all at once, in the order of the graph, at the first node that reads one', async () => {
  const some = fullSlots(['landscape-in-ndvi', undefined], ['landscape-in-pet', undefined]);
  await expectFault(plain, some, '03', `${emptySlots}: landscape-in-pet, landscape-in-ndvi`);
  const noRoads = fullSlots(['landscape-in-distance-road', undefined]);
  await expectFault(plain, noRoads, '25', `${emptySlots}: landscape-in-distance-road`);
  const groups = leaves.map(({ group }) => group).join(', ');
  await expectFault(plain, new Map(), '01', `${emptySlots}: ${groups}`);
});

test('a pinned dataset fills an empty slot; one that is gone is named at the first node that reads it', async () => {
  const pin = (overrides: RunInput['overrides']) => ({ ...plain, overrides });
  const road = pin({ 'landscape-in-distance-road': 'pinned' });
  const pinned = fullSlots(['landscape-in-distance-road', undated('pinned')]);
  assert.deepEqual(computed(await nodesOf(road, partsOf(pinned))), all);
  const gone = (id: string, group: string) => `dataset ${id} of group ${group} is not available`;
  const noRoads = fullSlots(['landscape-in-distance-road', undefined]);
  await expectFault(road, noRoads, '25', gone('pinned', 'landscape-in-distance-road'));
  const slope = pin({ 'landscape-01-slope': 'pinned' });
  await expectFault(slope, fullSlots(), '11', gone('pinned', 'landscape-01-slope'));
  const both = pin({ 'landscape-21-irrigation': 'one', 'landscape-02-ruggedness': 'two' });
  await expectFault(both, fullSlots(), '25', gone('two', 'landscape-02-ruggedness'));
});

const inputs = new Map([
  ['landscape-in-dem', '00000000-0000-0000-0000-000000000001'],
  ['landscape-21-irrigation', '00000000-0000-0000-0000-000000000021'],
  ['landscape-22-snow', '00000000-0000-0000-0000-000000000022'],
  ['landscape-23-crop', '00000000-0000-0000-0000-000000000023'],
  ['landscape-24-pasture', '00000000-0000-0000-0000-000000000024'],
  ['landscape-25-tourism', '00000000-0000-0000-0000-000000000025'],
]);
const leading = { code: '32', inputs, params: { tie_priority: [1, 2, 3, 4, 5] } };

test('the fingerprint of node 32 is that of the design', () => {
  assert.equal(fingerprintOf(leading, 1), '7ab8981107c128d6db54744158db4305c2540641b96a12b8c0baded3cdbcf039');
});

test('from its second version on the graph is part of the node', () => {
  const json = '{"inputs":[["landscape-in-dem","a"]],"node":"01@2","params":{}}';
  const computation = { code: '01', inputs: new Map([['landscape-in-dem', 'a']]), params: {} };
  assert.equal(fingerprintOf(computation, 2), createHash('sha256').update(json).digest('hex'));
});
