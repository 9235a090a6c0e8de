import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import { groupOf, nodeCodes } from '../../support/graph.ts';
import {
  assertLeftToDo,
  codesOf,
  fillSlot,
  firstRun,
  getRun,
  goldenFile,
  goldenPins,
  nodeOf,
  outputOf,
  planGolden,
  planRun,
  succeed,
} from '../../support/landscape.ts';

claim(
  ['4.5 rule 4 null', '4.5 rule 5 reuse', '3.2 skipped', 'L8.3 reuse', '1.5 runs'],
  'a second run on the same rasters computes nothing, and lists the outputs that it reuses',
  async (client) => {
    const first = await firstRun(client);
    const run = await succeed(client, { overrides: await goldenPins(client) });
    assertLeftToDo(run, 'succeeded', []);
    for (const node of run.nodes) {
      const before = nodeOf(first, node.node_code);
      assert.deepEqual(
        [node.fingerprint, node.inputs, node.outputs],
        [before.fingerprint, before.inputs, before.outputs],
      );
      assert.ok(node.id !== before.id && node.started_at !== null && node.finished_at !== null);
    }
  },
);

/** Values that no other claim uses in a run over these rasters. */
const paramsLeft = [
  [{ window_size: 256 }, []],
  [{ tie_priority: [2, 1, 4, 3, 5] }, ['32', '34']],
  [{ v1_min_s_e12: 1 }, ['33', '34']],
  [{ v1_min_s_e3: 1 }, ['33', '34']],
  [{ v2_min_s_e3: 1 }, ['33', '34']],
  [{ v2_min_s_e4: 1 }, ['33', '34']],
] as const;

claim(
  [
    'L3.2 params | L3.2 window_size | 4.5 rule 4 null',
    ...paramsLeft.flatMap(([params]) => Object.keys(params).map((name) => `2.6 LandscapeParams.${name}`)),
  ],
  'each parameter concerns its node and what follows from it, window_size none; from_stage null is as if it were not there',
  async (client) => {
    for (const from_stage of [null, undefined])
      assertLeftToDo(await planGolden(client, from_stage === null ? { from_stage } : {}), 'pending', []);
    for (const [params, codes] of paramsLeft)
      assertLeftToDo(await planGolden(client, { params }), 'pending', codes);
  },
);

claim(
  ['4.5 rule 4 zero', '4.5 rule 4 stages', '2.6 LandscapeRunInput.from_stage', 'L8.3 reuse'],
  'from_stage computes its stage and later ones, whatever there is',
  async (client) => {
    for (const stage of [0, 1, 2, 3]) {
      const plan = await planGolden(client, { from_stage: stage });
      const left = nodeCodes.filter((code) => Number(code[0]) >= stage);
      assertLeftToDo(plan, 'pending', left);
      assert.equal(plan.from_stage, stage);
    }
  },
);

claim(
  ['D3 delete and runs', 'L8.3 reuse', '4.5 rule 4 null'],
  'an output that was deleted is computed again; the run that made it keeps its id',
  async (client) => {
    const overrides = await goldenPins(client);
    const input = { overrides, params: { tie_priority: [4, 5, 1, 2, 3] } };
    const run = await succeed(client, input);
    await client.expect(204, 'DELETE', `/datasets/${outputOf(run, '34')}`);
    assertLeftToDo(await planRun(client, input), 'pending', ['34']);
    assert.deepEqual(await getRun(client, run.id), run);
    await client.expect(204, 'DELETE', `/datasets/${outputOf(run, '32')}`);
    assertLeftToDo(await planRun(client, input), 'pending', ['32', '34']);
  },
);

claim(
  ['4.5 rule 4 null', '4.5 rule 3 overrides', 'L8.3 upstream'],
  'another raster concerns the nodes that read it, and those that follow from them',
  async (client) => {
    const pins = await goldenPins(client);
    for (const [key, codes] of [
      ['distance-road', ['25', '31', '32', '33', '34']],
      ['pet', ['03', '12', '21', '22', '26', '31', '32', '33', '34']],
    ] as const) {
      const group = `landscape-in-${key}`;
      const id = await fillSlot(client, key, await goldenFile(key));
      const plan = await planRun(client, { overrides: { ...pins, [group]: id } });
      assert.deepEqual(codesOf(plan, 'pending'), codes, key);
    }
  },
);

claim(
  ['L3.1 implicit dem', '4.5 rule 5 fingerprint'],
  'another elevation concerns every node, because it is the grid',
  async (client) => {
    const first = await firstRun(client);
    const { 'landscape-in-ndvi': dem = '', ...pins } = await goldenPins(client);
    const overrides = { ...pins, 'landscape-in-ndvi': dem, 'landscape-in-dem': dem };
    const plan = await planRun(client, { overrides });
    assertLeftToDo(plan, 'pending', nodeCodes);
    for (const { node_code: code, inputs, fingerprint } of plan.nodes) {
      assert.equal(inputs?.find(({ group }) => group === 'landscape-in-dem')?.dataset_id, dem);
      assert.notEqual(fingerprint, nodeOf(first, code).fingerprint);
    }
  },
);

claim(
  ['L8.3 reuse', '4.5 rule 5 reuse', 'L8.1 pinned output'],
  'an output that is pinned where it stands anyway changes nothing',
  async (client) => {
    const first = await firstRun(client);
    const overrides = { ...(await goldenPins(client)), [groupOf('26')]: outputOf(first, '26') };
    assertLeftToDo(await planRun(client, { overrides }), 'pending', []);
  },
);

checkedElsewhere('src/landscape/execution/queue.test.ts', {
  'go on after a restart, the one under way and the one that waits, and nothing is lost': ['D6 restart'],
});
checkedElsewhere('src/landscape/execution/execution.test.ts', {
  'a worker that goes on with a run computes what is not published, and nothing else': [
    'L8.3 worker died',
    'D6 restart',
  ],
});
checkedElsewhere('src/landscape/runs/stored-runs.test.ts', {
  'a run is planned once': ['D6 planned once'],
});
