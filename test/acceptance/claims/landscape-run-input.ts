import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { defaults } from '../support/graph.ts';
import { goldenPins, listRuns, planRun, type Run } from '../support/landscape.ts';

const dryRun = '/landscape/runs?dry_run=true';
const thresholds = ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'] as const;

/** Neither a dry run nor a real one is begun: the same fields are named for both. */
async function refuse({ invalid }: Client, json: object, ...fields: readonly string[]): Promise<void> {
  for (const path of [dryRun, '/landscape/runs']) {
    await invalid(fields, 'POST', path, { json });
  }
}

async function refuseParams(client: Client, name: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) await refuse(client, { params: { [name]: value } }, `params.${name}`);
}

async function acceptParams(client: Client, params: object): Promise<void> {
  assert.deepEqual((await planRun(client, { params })).params, { ...defaults, ...params });
}

claim(
  ['2.6 LandscapeParams.window_size', '8 window_size', 'L8.1 integers'],
  'window_size is 256 to 8192',
  async (client) => {
    await refuseParams(client, 'window_size', [255, 8193, 0, -256, 1e9]);
    for (const window_size of [256, 257, 8191, 8192]) await acceptParams(client, { window_size });
  },
);

claim(['2.6 LandscapeParams.window_size', 'L8.1 integers'], 'window_size is an integer', async (client) => {
  await refuseParams(client, 'window_size', [256.5, '2048', true, [2048], {}, null]);
  const body = '{"params":{"window_size":5.12e2}}';
  const { params } = await client.read<Run>(200, 'POST', dryRun, { body });
  assert.equal(params['window_size'], 512);
});

for (const name of thresholds) {
  claim(
    [`2.6 LandscapeParams.${name}`, '8 thresholds', 'L8.1 integers'],
    `${name} is an integer of 1 to 5`,
    async (client) => {
      await refuseParams(client, name, [0, 6, -1, 2.5, '3', true, [3], {}, null]);
      for (const value of [1, 2, 3, 4, 5]) await acceptParams(client, { [name]: value });
    },
  );
}

claim(
  ['8 thresholds', 'L8.1 thresholds', 'L5.2 order'],
  'the four thresholds may be in any order',
  async (client) => {
    for (const [a, b, c, d] of [
      [5, 1, 5, 1],
      [1, 5, 1, 5],
      [5, 4, 3, 2],
      [1, 1, 1, 1],
      [5, 5, 5, 5],
    ]) {
      await acceptParams(client, { v1_min_s_e12: a, v1_min_s_e3: b, v2_min_s_e3: c, v2_min_s_e4: d });
    }
  },
);

claim(
  ['2.6 LandscapeParams.tie_priority', '8 tie_priority', 'L8.1 tie_priority'],
  'tie_priority has exactly five items, each of 1 to 5, none twice',
  async (client) => {
    await refuseParams(client, 'tie_priority', [
      [],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5, 1],
      [1, 2, 3, 4, 4],
      [1, 1, 1, 1, 1],
      [0, 1, 2, 3, 4],
      [2, 3, 4, 5, 6],
      [-1, 2, 3, 4, 5],
    ]);
  },
);

claim(
  ['2.6 LandscapeParams.tie_priority', 'L8.1 tie_priority'],
  'tie_priority is an array of integers, and its error has its own name',
  async (client) => {
    await refuseParams(client, 'tie_priority', [
      [1, 2, 3, 4, 4.5],
      ['1', '2', '3', '4', '5'],
      [1, 2, 3, 4, null],
      [[1, 2, 3, 4, 5]],
      '12345',
      12_345,
      { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, length: 5 },
      null,
    ]);
  },
);

claim(
  ['2.6 LandscapeParams.tie_priority', '8 tie_priority'],
  'every sector may come first, and every one last',
  async (client) => {
    for (let turn = 0; turn < 5; turn += 1) {
      const tie_priority = [0, 1, 2, 3, 4].map((sector) => ((sector + turn) % 5) + 1);
      await acceptParams(client, { tie_priority });
      await acceptParams(client, { tie_priority: tie_priority.toReversed() });
    }
  },
);

claim(
  ['2.6 LandscapeRunInput.from_stage', '8 from_stage', 'L8.1 integers'],
  'from_stage is an integer of 0 to 3, or null',
  async (client) => {
    for (const from_stage of [-1, 4, 1.5, '1', true, [], {}])
      await refuse(client, { from_stage }, 'from_stage');
    for (const from_stage of [0, 1, 2, 3, null]) {
      assert.equal((await planRun(client, { from_stage })).from_stage, from_stage);
    }
  },
);

claim(
  ['2.6 LandscapeParams', 'D6 params complete', '2.6 LandscapeRun.params', '2.6 LandscapeRunInput'],
  'params come back complete, overrides {} and from_stage null when nothing is asked for',
  async (client) => {
    for (const json of [{}, { params: {} }, { params: {}, overrides: {}, from_stage: null }]) {
      const { params, overrides, from_stage } = await planRun(client, json);
      assert.deepEqual([params, overrides, from_stage], [defaults, {}, null]);
    }
  },
);

claim(
  ['2.6 LandscapeParams', 'D6 params complete'],
  'what is omitted of params takes its default',
  async (client) => {
    await acceptParams(client, { v2_min_s_e4: 1 });
    await acceptParams(client, { window_size: 300, tie_priority: [2, 1, 3, 4, 5] });
  },
);

claim(
  ['D6 null omitted', 'L8.1 unknown', '2.6 LandscapeRunInput.from_stage'],
  'a null params, overrides or from_stage counts as omitted',
  async (client) => {
    const { params, overrides, from_stage } = await planRun(client, {
      params: null,
      overrides: null,
      from_stage: null,
    });
    assert.deepEqual([params, overrides, from_stage], [defaults, {}, null]);
  },
);

claim(['D6 null inside'], 'a null inside params or overrides is refused', async (client) => {
  await refuse(client, { params: { window_size: null } }, 'params.window_size');
  await refuse(client, { overrides: { 'landscape-in-dem': null } }, 'overrides.landscape-in-dem');
});

claim(
  ['D6 unknown params', 'L8.1 unknown'],
  'unknown properties are ignored, within params and beside them, and do not come back',
  async (client) => {
    const run = await planRun(client, { params: { v3_min_s: 9, Window_size: 1 }, dry_run: false, nodes: [] });
    assert.deepEqual(run.params, defaults);
    assert.ok(!('dry_run' in run));
  },
);

claim(['2.6 LandscapeRunInput.params', '4.5 POST runs 422'], 'params is an object', async (client) => {
  for (const params of [[], 'window_size', 7, true]) await refuse(client, { params }, 'params');
});

claim(
  ['2.6 LandscapeRunInput.overrides', 'L8.1 overrides shape', '4.5 POST runs 422'],
  'overrides is an object of uuids',
  async (client) => {
    for (const overrides of [[], 'x', 7, true]) await refuse(client, { overrides }, 'overrides');
    for (const value of [
      '',
      'latest',
      7,
      true,
      [randomUUID()],
      {},
      `{${randomUUID()}}`,
      `${randomUUID()} `,
    ]) {
      await refuse(client, { overrides: { 'landscape-in-pet': value } }, 'overrides.landscape-in-pet');
    }
  },
);

claim(['4.5 rule 2 validates', '4.5 POST runs 422'], 'all that is wrong is said at once', async (client) => {
  const json = {
    from_stage: 9,
    params: { window_size: 1, tie_priority: [], v1_min_s_e3: 'x' },
    overrides: { nothing: randomUUID(), 'landscape-in-dem': 'x', 'landscape-in-pet': randomUUID() },
  };
  const params = ['params.window_size', 'params.tie_priority', 'params.v1_min_s_e3'];
  const overrides = ['overrides.nothing', 'overrides.landscape-in-dem', 'overrides.landscape-in-pet'];
  await refuse(client, json, 'from_stage', ...params, ...overrides);
});

claim(
  ['4.5 POST runs 400', 'L8.1 malformed'],
  'a body that is no JSON, or no object, is malformed',
  async ({ refused }) => {
    for (const body of ['{', 'params', '{"params":{}', '[]', '[{}]', '"{}"', 'null', 'true', '7', '{} {}']) {
      await refused(400, 'POST', '/landscape/runs', { body });
      await refused(400, 'POST', dryRun, { body });
    }
  },
);

claim(
  ['4.5 POST runs empty', 'L8.1 empty', 'D6 dry run'],
  'a plan without a body is one of all defaults',
  async ({ read }) => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const { params, overrides, from_stage } = await read<Run>(200, 'POST', dryRun, { headers });
      assert.deepEqual([params, overrides, from_stage], [defaults, {}, null]);
    }
  },
);

claim(['4.5 POST runs'], 'the body is read as JSON whatever its media type', async ({ read }) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream']) {
    const asked = { body: '{"params":{"window_size":4096}}', headers: { 'content-type': type } };
    const { params } = await read<Run>(200, 'POST', dryRun, asked);
    assert.equal(params['window_size'], 4096, type);
  }
});

claim(['D6 dry run'], 'dry_run is true or false, once', async ({ refused }) => {
  for (const query of ['dry_run=1', 'dry_run=yes', 'dry_run=', 'dry_run=TRUE', 'dry_run=true&dry_run=true']) {
    await refused(400, 'POST', `/landscape/runs?${query}`, { json: {} });
  }
});

claim(
  ['4.5 rule 2 validates', 'D6 dry run'],
  'what is refused, or only planned, is no run',
  async (client) => {
    const window_size = 7777;
    const overrides = await goldenPins(client);
    const { id } = await planRun(client, { overrides, params: { window_size } });
    await client.expect(404, 'GET', `/landscape/runs/${id}`);
    await refuse(client, { params: { window_size, v1_min_s_e3: 0 } }, 'params.v1_min_s_e3');
    const { data } = await listRuns(client, '?page_size=100');
    assert.deepEqual(
      data.filter(({ params }) => params['window_size'] === window_size),
      [],
    );
  },
);
