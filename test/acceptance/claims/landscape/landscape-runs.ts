import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkedElsewhere, claim } from '../../claim.ts';
import { defaults, nodeCodes } from '../../support/graph.ts';
import {
  codesOf,
  endOf,
  firstRun,
  getRun,
  goldenPins,
  listRuns,
  type Run,
  startRun,
} from '../../support/landscape.ts';
import { assertKeys, nodeFields, runFields } from '../../support/errors.ts';
import { lowerCaseUuid } from '../../support/values.ts';

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
function time(moment: string | null): number {
  assert.ok(moment !== null);
  return Date.parse(moment);
}

claim(
  [
    '3.2 create',
    '4.5 POST runs',
    '4.5 rule 2 returns',
    'D6 nodes',
    'D6 fingerprint',
    '1.5 runs',
    '2.6 LandscapeRun.status',
    '2.6 LandscapeRun.started_at',
    '2.6 LandscapeRun.finished_at',
    '2.6 LandscapeRun.error',
    '2.6 LandscapeRun.nodes',
    '2.6 LandscapeRunNode.status',
  ],
  'a run is answered as queued, with one pending node per node of the graph, of which nothing is known yet',
  async (client) => {
    const overrides = await goldenPins(client);
    const answer = await client.expect(202, 'POST', '/landscape/runs', { json: { overrides } });
    const run = answer.read<Run>();
    assert.equal(answer.headers.get('location'), `/landscape/runs/${run.id}`);
    const { id, created_at, nodes, ...rest } = run;
    assert.deepEqual(rest, {
      status: 'queued',
      params: defaults,
      overrides,
      from_stage: null,
      error: null,
      started_at: null,
      finished_at: null,
    });
    assert.match(id, lowerCaseUuid);
    assert.match(created_at, moment);
    assert.deepEqual(
      nodes.map(({ id: _id, ...node }) => node),
      nodeCodes.map((node_code) => ({
        run_id: id,
        node_code,
        stage: Number(node_code[0]),
        status: 'pending',
        fingerprint: '',
        inputs: null,
        outputs: null,
        error: null,
        started_at: null,
        finished_at: null,
      })),
    );
    await endOf(client, id);
  },
);

claim(
  [
    '2.6 LandscapeRun.id',
    '2.6 LandscapeRun.created_at',
    '2.6 LandscapeRunNode.id',
    '2.6 LandscapeRunNode.run_id',
    '2.6 LandscapeRunNode.node_code',
    '2.6 LandscapeRunNode.stage',
    '4.5 GET run',
    'D6 nodes',
  ],
  'a run and its nodes have exactly their fields, each node an id of its own',
  async (client) => {
    const { id } = await firstRun(client);
    const run = await getRun(client, id.toUpperCase());
    assertKeys(run, runFields);
    assert.deepEqual(
      run.nodes.map(({ node_code }) => node_code),
      nodeCodes,
    );
    for (const node of run.nodes) {
      assertKeys(node, nodeFields);
      assert.match(node.id, lowerCaseUuid);
      assert.deepEqual([node.run_id, node.stage], [id, Number(node.node_code[0])]);
    }
    assert.equal(new Set(run.nodes.map((node) => node.id)).size, nodeCodes.length);
  },
);

claim(
  [
    '2.6 LandscapeRun.started_at | 2.6 LandscapeRun.finished_at | 3.2 run states | 3.2 node states | D6 pass running',
    '2.6 LandscapeRunNode.started_at | 2.6 LandscapeRunNode.finished_at | 2.6 LandscapeRunNode.error',
  ],
  'a run that succeeded was created, started and finished in this order, its nodes within it, and has no error',
  async (client) => {
    const run = await firstRun(client);
    assert.deepEqual([run.status, run.error], ['succeeded', null]);
    for (const each of [run.created_at, run.started_at, run.finished_at]) assert.match(each ?? '', moment);
    assert.deepEqual(codesOf(run, 'succeeded'), nodeCodes);
    for (const node of run.nodes) {
      assert.equal(node.error, null);
      const order = [run.created_at, run.started_at, node.started_at, node.finished_at, run.finished_at].map(
        time,
      );
      assert.deepEqual(
        order,
        order.toSorted((one, other) => one - other),
        node.node_code,
      );
    }
  },
);

claim(
  ['3.2 run states', '3.2 node states', '6 polling', '4.5 rule 2 returns', 'D6 pass running'],
  'a client that polls a run sees queued, running, succeeded, and never goes back',
  async (client) => {
    const { id } = await startRun(client, {
      overrides: await goldenPins(client),
      from_stage: null,
      params: { v2_min_s_e4: 2 },
    });
    const order = ['queued', 'running', 'succeeded'];
    let last = 'queued';
    let done = 0;
    while (last !== 'succeeded') {
      await sleep(100);
      const run = await getRun(client, id);
      assert.ok(order.indexOf(run.status) >= order.indexOf(last), `${run.status} after ${last}`);
      last = run.status;
      const published = codesOf(run, 'succeeded').length + codesOf(run, 'skipped').length;
      assert.ok(published >= done);
      done = published;
      for (const { status, outputs, fingerprint } of run.nodes) {
        assert.equal(outputs !== null, status === 'succeeded' || status === 'skipped');
        assert.equal(fingerprint === '', run.status === 'queued');
      }
    }
    assert.equal(done, nodeCodes.length);
  },
);

claim(
  ['4.5 POST runs empty', 'L8.1 empty', 'L8.1 missing leaf', '2.6 LandscapeRunInput'],
  'a run without a body is accepted with all defaults, whatever the slots hold, and comes to an end',
  async (client) => {
    await firstRun(client);
    const queued = await client.read<Run>(202, 'POST', '/landscape/runs?dry_run=false');
    const { id, params, overrides, from_stage, status } = queued;
    assert.deepEqual([params, overrides, from_stage, status], [defaults, {}, null, 'queued']);
    const run = await endOf(client, id);
    assert.equal(run.error === null, run.status === 'succeeded');
  },
);

claim(
  ['D6 one by one', 'D2 list runs'],
  'runs that are asked for one after the other run one after the other, oldest first, and are listed newest first',
  async (client) => {
    const overrides = await goldenPins(client);
    const started: Run[] = [];
    while (started.length < 3) started.push(await startRun(client, { overrides }));
    const ids = started.map(({ id }) => id);
    const { data } = await listRuns(client, '?page_size=100');
    const listed = data.map(({ id }) => id).filter((id) => ids.includes(id));
    assert.deepEqual(listed, ids.toReversed());
    const runs = await Promise.all(ids.map(async (id) => await endOf(client, id)));
    for (const [place, run] of runs.entries()) {
      const before = runs[place - 1];
      assert.ok(before === undefined || time(before.finished_at) <= time(run.started_at));
    }
  },
);

claim(
  ['4.5 GET runs', 'D6 nodes', '2.6 LandscapeRun.nodes', 'D2 list runs', '2.4 LandscapeRunPage'],
  'the list of runs is newest first, each as it is alone but without its nodes',
  async (client) => {
    const alone = await firstRun(client);
    const { data, total } = await listRuns(client, '?page_size=100');
    assert.ok(total >= data.length);
    for (const [place, run] of data.entries()) {
      const told = ['failure', 'record'].filter((member) => member in run);
      assertKeys(run, [...runFields, ...told]);
      const newer = data[place - 1];
      assert.ok(newer === undefined || newer.created_at >= run.created_at);
    }
    const listed = data.find(({ id }) => id === alone.id);
    assert.deepEqual(listed, { ...alone, nodes: null });
  },
);

claim(
  ['D7 cancel'],
  'a run that waits or computes can be cancelled, once; the runs behind it go on',
  async (client) => {
    const overrides = await goldenPins(client);
    const started: Run[] = [];
    for (const from_stage of [0, 0, 3]) started.push(await startRun(client, { overrides, from_stage }));
    const [first = '', second = '', third = ''] = started.map(({ id }) => id);
    for (const id of [second, first]) {
      const path = `/landscape/runs/${id}`;
      assert.equal((await client.expect(204, 'DELETE', path)).text, '');
      const { status, error, finished_at: finished } = await getRun(client, id);
      assert.deepEqual([status, error, finished === null], ['failed', 'cancelled', false]);
      await client.refused(409, 'DELETE', path);
    }
    assert.equal((await endOf(client, third)).status, 'succeeded');
  },
);

checkedElsewhere('src/landscape/spread/fences.test.ts', {
  'a second part of a block is refused, and its object goes': ['D6 blocks'],
});

checkedElsewhere('src/landscape/spread/fences.long.test.ts', {
  'that is away keeps a run waiting, which says so and ends well': ['D6 blocks'],
});

checkedElsewhere('src/landscape/execution/failures.test.ts', {
  'names all slots that are empty, at the lowest node that reads one': [
    'D6 missing leaves',
    'D6 dry run missing',
    'D6 run error',
    'L8.4 no raster',
    'L8.1 missing leaf',
    'L8.3 leaves first',
    'L8.3 failure',
  ],
  'says that a grid has more pixels than it may': ['L8.4 reference'],
  'says that a pinned dataset is gone, when it was deleted while the run waited': ['L8.4 deleted'],
});
checkedElsewhere('src/landscape/execution/source-faults.test.ts', {
  'an elevation that is not fit to be the grid is a fault of its own': ['L8.4 reference'],
  'each fault belongs to the lowest node that reads the source, and the lowest of them counts': ['L8.4 CRS'],
  'a source beside the grid, and one without a valid pixel on it, are told apart': [
    'L8.4 overlap',
    'L8.4 valid pixel',
  ],
});
checkedElsewhere('src/landscape/execution/execution.test.ts', {
  'an output that cannot be stored fails its node; those published stay, for the next run to use': [
    'D6 pass failure',
    'L8.3 failure',
    'L8.4 store',
  ],
  'a batch whose child always dies is an internal error of the lowest node': ['L8.4 internal'],
});
checkedElsewhere('src/landscape/compute/landscape-engine.test.ts', {
  'names a source whose pixels cannot be read': ['L8.4 unreadable'],
});
