import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import { groupOf, nodeCodes } from '../support/graph.ts';
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
  ownGoldenPins,
  planGolden,
  planRun,
  succeed,
} from '../support/landscape.ts';
import { readCog } from '../support/rasters.ts';

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

claim(['4.5 rule 4 null'], 'from_stage null is as if it were not there', async (client) => {
  assertLeftToDo(await planGolden(client, { from_stage: null }), 'pending', []);
  assertLeftToDo(await planGolden(client), 'pending', []);
});

claim(['L3.2 window_size', '4.5 rule 4 null'], 'another window_size changes no node', async (client) => {
  for (const window_size of [256, 8192]) {
    assertLeftToDo(await planGolden(client, { params: { window_size } }), 'pending', []);
  }
});

for (const [name, value, codes] of [
  ['tie_priority', [1, 2, 3, 5, 4], ['32', '34']],
  ['v1_min_s_e12', 4, ['33', '34']],
  ['v1_min_s_e3', 5, ['33', '34']],
  ['v2_min_s_e3', 2, ['33', '34']],
  ['v2_min_s_e4', 4, ['33', '34']],
] as const) {
  claim(
    ['L3.2 params', '4.5 rule 4 null', `2.6 LandscapeParams.${name}`],
    `${name} concerns node ${codes[0]}, and what follows from it`,
    async (client) => {
      assertLeftToDo(await planGolden(client, { params: { [name]: value } }), 'pending', codes);
    },
  );
}

for (const [stage, row] of [
  [0, '4.5 rule 4 zero'],
  [1, '4.5 rule 4 stages'],
  [2, '4.5 rule 4 stages'],
  [3, '4.5 rule 4 stages'],
] as const) {
  claim(
    [row, '2.6 LandscapeRunInput.from_stage', 'L8.3 reuse'],
    `from_stage ${stage} computes stage ${stage} and later ones, whatever there is`,
    async (client) => {
      const plan = await planGolden(client, { from_stage: stage });
      const left = nodeCodes.filter((code) => Number(code[0]) >= stage);
      assertLeftToDo(plan, 'pending', left);
      assert.equal(plan.from_stage, stage);
    },
  );
}

claim(
  ['4.5 rule 4 stages', 'L8.3 from_stage', '2.6 LandscapeRun.from_stage', 'L8.3 reuse'],
  'what is computed again is a new dataset with the same pixels, which later runs reuse instead of the old',
  async (client) => {
    const overrides = await ownGoldenPins(client);
    const first = await succeed(client, { overrides });
    assertLeftToDo(first, 'succeeded', nodeCodes);
    const second = await succeed(client, { overrides, from_stage: 2 });
    const anew = nodeCodes.filter((code) => code >= '21');
    assertLeftToDo(second, 'succeeded', anew);
    assert.equal(second.from_stage, 2);
    for (const code of nodeCodes) {
      assert.equal(outputOf(second, code) !== outputOf(first, code), anew.includes(code), code);
      assert.equal(nodeOf(second, code).fingerprint !== nodeOf(first, code).fingerprint, code >= '31', code);
    }
    const [before, after] = await Promise.all(
      [first, second].map(async (run) => await readCog(client, outputOf(run, '34'))),
    );
    assert.deepEqual(after?.values, before?.values);
    const third = await planRun(client, { overrides });
    assertLeftToDo(third, 'pending', []);
    for (const code of nodeCodes) assert.equal(outputOf(third, code), outputOf(second, code));
  },
);

claim(
  ['D3 delete and runs', 'L8.3 reuse', '4.5 rule 4 null'],
  'an output that was deleted is computed again; the run that made it keeps its id',
  async (client) => {
    const overrides = await goldenPins(client);
    await firstRun(client);
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
    await firstRun(client);
    const pins = await goldenPins(client);
    for (const [key, codes] of [
      ['protected-areas', ['26', '33', '34']],
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
    await firstRun(client);
    const plan = await planRun(client, { overrides: await ownGoldenPins(client) });
    assertLeftToDo(plan, 'pending', nodeCodes);
    const { 'landscape-in-dem': dem } = plan.overrides;
    for (const { inputs } of plan.nodes) {
      assert.equal(inputs?.find(({ group }) => group === 'landscape-in-dem')?.dataset_id, dem);
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

checkedElsewhere('test/landscape/service/queue.test.ts', {
  'go on after a restart, the one under way and the one that waits, and nothing is lost': ['D6 restart'],
});
checkedElsewhere('test/landscape/execution.test.ts', {
  'a worker that goes on with a run computes what is not published, and nothing else': [
    'L8.3 worker died',
    'D6 restart',
  ],
});
checkedElsewhere('test/landscape/stored-runs.test.ts', {
  'a run is planned once': ['D6 planned once'],
});
