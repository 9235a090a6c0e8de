import assert from 'node:assert/strict';
import { claim } from '../../claim.ts';
import type { Client } from '../../client.ts';
import { defaults } from '../../support/graph.ts';
import { goldenPins, listRuns, planRun, type Run } from '../../support/landscape.ts';

const dryRun = '/landscape/runs?dry_run=true';
const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;

async function acceptParams(client: Client, params: object): Promise<void> {
  assert.deepEqual((await planRun(client, { params })).params, { ...defaults, ...params });
}

claim(
  [
    '2.6 LandscapeParams | 2.6 LandscapeParams.window_size | 8 window_size | 8 thresholds | L8.1 integers',
    ...thresholds.map((name) => `2.6 LandscapeParams.${name}`),
    '2.6 LandscapeRunInput.from_stage | 2.6 LandscapeRun.from_stage | 8 from_stage | D6 params complete',
  ],
  'each parameter may be anything within its bounds, the others then take their defaults',
  async (client) => {
    for (const window_size of [256, 257, 8191, 8192]) await acceptParams(client, { window_size });
    for (const name of thresholds) {
      for (const value of [1, 2, 3, 4, 5]) await acceptParams(client, { [name]: value });
    }
    await acceptParams(client, { window_size: 300, tie_priority: [2, 1, 3, 4, 5] });
    for (const from_stage of [0, 1, 2, 3, null]) {
      assert.equal((await planRun(client, { from_stage })).from_stage, from_stage);
    }
    const body = '{"params":{"window_size":5.12e2}}';
    const { params } = await client.read<Run>(200, 'POST', dryRun, { body });
    assert.equal(params['window_size'], 512);
  },
);

claim(
  [
    '2.6 LandscapeParams | D6 params complete | 2.6 LandscapeRun.params | 2.6 LandscapeRunInput',
    'D6 null omitted | L8.1 unknown | 4.5 POST runs empty | L8.1 empty | D6 dry run',
  ],
  'params come back complete, overrides {} and from_stage null when nothing is asked for, or null',
  async (client) => {
    for (const asked of [
      {},
      { headers: { 'content-type': 'application/json' } },
      { json: {} },
      { json: { params: {} } },
      { json: { params: {}, overrides: {}, from_stage: null } },
      { json: { params: null, overrides: null, from_stage: null } },
    ]) {
      const { params, overrides, from_stage } = await client.read<Run>(200, 'POST', dryRun, asked);
      assert.deepEqual([params, overrides, from_stage], [defaults, {}, null]);
    }
  },
);

claim(
  ['8 thresholds', 'L8.1 thresholds', 'L5.2 order', '2.6 LandscapeParams.tie_priority', '8 tie_priority'],
  'the four thresholds may be in any order, and every sector may come first or last',
  async (client) => {
    for (const [a, b, c, d] of ['5151', '1515', '5432', '1111'].map((each) => Array.from(each, Number)))
      await acceptParams(client, { v1_min_s_e12: a, v1_min_s_e3: b, v2_min_s_e3: c, v2_min_s_e4: d });
    for (const order of ['12345', '23451', '34512', '45123', '51234', '54321'])
      await acceptParams(client, { tie_priority: Array.from(order, Number) });
  },
);

claim(
  ['D6 unknown params', 'L8.1 unknown'],
  'unknown properties are ignored, within params and beside them, and do not come back',
  async (client) => {
    const run = await planRun(client, { params: { v3_min_s: 9, Window_size: 1 }, dry_run: false, nodes: [] });
    assert.deepEqual(run.params, defaults);
    assert.ok(!('dry_run' in run));
  },
);

claim(
  ['4.5 rule 2 validates', 'D6 dry run'],
  'what is refused, or only planned, is not a run',
  async (client) => {
    const window_size = 7777;
    const overrides = await goldenPins(client);
    const plan = await planRun(client, { overrides, from_stage: 0, params: { window_size } });
    await client.expect(404, 'GET', `/landscape/runs/${plan.id}`);
    const planned = plan.nodes.flatMap(({ inputs }) => inputs ?? []);
    const output = planned.find(({ group }) => overrides[group] === undefined);
    await client.expect(404, 'GET', `/datasets/${output?.dataset_id}`);
    const json = { params: { window_size, v1_min_s_e3: 0 } };
    await client.invalid(['params.v1_min_s_e3'], 'POST', '/landscape/runs', { json });
    const { data } = await listRuns(client, '?page_size=100');
    assert.deepEqual(
      data.filter(({ params }) => params['window_size'] === window_size),
      [],
    );
  },
);
