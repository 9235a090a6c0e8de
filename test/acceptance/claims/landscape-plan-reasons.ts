import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../claim.ts';
import type { Client } from '../client.ts';
import { groupOf, leaves, nodeCodes } from '../support/graph.ts';
import {
  codesOf,
  fillSlot,
  goldenFile,
  goldenPins,
  nodeOf,
  planRun,
  type Run,
  type RunInput,
  succeed,
  type Summary,
} from '../support/landscape.ts';

interface PlannedNode {
  readonly node_code: string;
  readonly action: 'compute' | 'reuse';
  readonly reason: string | null;
  readonly inputs: readonly {
    readonly group: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  readonly params: readonly object[];
  readonly compared_with: string | null;
  readonly output: string | null;
}
interface Plan {
  readonly planned_at: string | null;
  readonly params: object;
  readonly overrides: object;
  readonly from_stage: number | null;
  readonly error: string | null;
  readonly missing: readonly string[];
  readonly inputs: readonly {
    readonly group: string;
    readonly dataset: Summary | null;
    readonly because: string;
    readonly waiting: Summary | null;
  }[];
  readonly nodes: readonly PlannedNode[];
}

const plan = async (client: Client, json: RunInput): Promise<Plan> =>
  await client.read(200, 'POST', '/landscape/plans', { json });
const planOf = async (client: Client, { id }: Run): Promise<Plan> =>
  await client.get(`/landscape/runs/${id}/plan`);
const codesBy = ({ nodes }: Plan, reason: string) =>
  nodes.filter((node) => node.reason === reason).map((node) => node.node_code);

claim(
  ['D6 plan | D6 plan agrees | D6 plan reasons | D6 plan stored'],
  'a plan has a reason for each node, the run that follows does the same, and its plan outlives what it names',
  async (client) => {
    // An elevation over which no other claim runs.
    const dem = await fillSlot(client, 'dem', await goldenFile('dem'));
    const overrides = { ...(await goldenPins(client)), 'landscape-in-dem': dem };
    const before = await plan(client, { overrides });
    assert.deepEqual([before.planned_at, before.error, before.missing], [null, null, []]);
    assert.deepEqual(
      before.nodes.map((node) => [node.node_code, node.action, node.output]),
      nodeCodes.map((code) => [code, 'compute', null]),
    );
    for (const { reason, compared_with: last } of before.nodes) {
      assert.ok(['first', 'inputs', 'params'].includes(reason ?? ''), reason ?? 'null');
      assert.equal(reason === 'first', last === null);
    }
    const run = await succeed(client, { overrides });
    const stored = await planOf(client, run);
    assert.equal(stored.planned_at, run.started_at);
    assert.deepEqual(stored.overrides, overrides);
    assert.deepEqual(
      stored.nodes.map((node) => [node.node_code, node.action]),
      before.nodes.map((node) => [node.node_code, node.action]),
    );
    const again = await plan(client, { overrides });
    for (const node of again.nodes) {
      const output = nodeOf(run, node.node_code).outputs?.[0]?.dataset_id;
      assert.deepEqual(node, {
        node_code: node.node_code,
        action: 'reuse',
        reason: 'same',
        inputs: [],
        params: [],
        compared_with: run.id,
        output,
      });
    }
    const forced = await plan(client, { overrides, from_stage: 3 });
    assert.deepEqual(codesBy(forced, 'same'), nodeCodes.slice(0, -4));
    assert.deepEqual(codesBy(forced, 'forced'), ['31', '32']);
    const zones = forced.nodes.find((node) => node.node_code === '33');
    assert.ok(zones?.inputs.some(({ group, to }) => group === groupOf('31') && to === null));
    const zoning = nodeOf(run, '34').outputs?.[0]?.dataset_id ?? '';
    await client.expect(204, 'DELETE', `/datasets/${zoning}`);
    const gone = await plan(client, { overrides });
    assert.deepEqual([codesBy(gone, 'output_gone'), codesBy(gone, 'same').length], [['34'], 18]);
    const next = await succeed(client, { overrides });
    assert.deepEqual(codesOf(next, 'succeeded'), ['34']);
    assert.deepEqual((await planOf(client, next)).nodes, gone.nodes);
    assert.deepEqual(await planOf(client, run), stored);
  },
);

claim(
  ['D6 plan | D6 plan agrees | D6 plan inputs'],
  'a plan says what is read and why, of each slot and of other pinned groups, and agrees with the dry run',
  async (client) => {
    const pins = await goldenPins(client);
    const slope = pins['landscape-in-ndvi'] ?? '';
    const input = { overrides: { ...pins, 'landscape-01-slope': slope }, params: { v1_min_s_e3: 2 } };
    const [planned, dry] = [await plan(client, input), await planRun(client, input)];
    assert.deepEqual(
      planned.inputs.map(({ group, dataset, because, waiting }) => [group, dataset?.id, because, waiting]),
      [...leaves.map(({ key }) => `landscape-in-${key}`), 'landscape-01-slope'].map((group) => [
        group,
        group === 'landscape-01-slope' ? slope : pins[group],
        'pinned',
        null,
      ]),
    );
    assert.deepEqual([planned.params, planned.overrides], [dry.params, dry.overrides]);
    assert.deepEqual(
      planned.nodes.map((node) => [node.node_code, node.action === 'reuse' ? 'skipped' : 'pending']),
      dry.nodes.map((node) => [node.node_code, node.status]),
    );
  },
);

checkedElsewhere('test/landscape/plans.test.ts', {
  'is said with its reason, and what waits to be read instead': ['D6 plan inputs'],
  'is what was planned when it began, whatever is uploaded or deleted later': ['D6 plan stored'],
  'is the one that it would have now while it is queued': ['D6 plan queued'],
  'that an earlier release has made has no reasons, and is compared with all the same': ['D6 plan before'],
  'of a run that could not begin has the error, and what was missing then': ['D6 plan fault'],
  'leads with the parameters where inputs have changed as well, and lists both': ['D6 plan reasons'],
  'says that another version of the graph has computed a node the last time': ['D6 plan reasons'],
});
