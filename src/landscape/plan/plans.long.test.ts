import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LandscapePlan } from '../runs/plan-schema.ts';
import type { LandscapeRun } from '../runs/schema.ts';
import { createLandscapeClient, golden } from '../../../test/support/landscape/landscape.ts';
import {
  changeAtRandom,
  plainly,
  type PlanWorld,
  randomOf,
  withoutLostPins,
} from '../../../test/support/landscape/plan-changes.ts';
import { startService } from '../../../test/support/service.ts';
import { isTimeUp, repetitions } from '../../../test/support/tier.ts';

const runs = repetitions('PLANNED_RUNS', 3, 40);
const seed = repetitions('PLAN_SEED', 1, 1);

test(`${runs} runs of a service do node by node what their plans said`, async (t) => {
  await using service = await startService();
  const client = createLandscapeClient(service.baseUrl);
  /** Groups by dataset id. */
  const rasters = new Map<string, string>();
  for (const [leaf, id] of await client.fillAll()) rasters.set(id, `landscape-in-${leaf}`);
  const made: string[] = [];
  const random = randomOf(seed);
  const world: PlanWorld = {
    async upload(group) {
      const leaf = group.replace('landscape-in-', '');
      rasters.set(await client.fill(leaf, await golden(leaf)), group);
    },
    async deleteOutput(share) {
      const [id] = made.splice(-1 - Math.floor(share ** 3 * made.length), 1); // prefers recent outputs
      if (id === undefined) return;
      rasters.delete(id);
      const { status } = await fetch(`${service.baseUrl}/datasets/${id}`, { method: 'DELETE' });
      assert.equal(status, 204);
    },
    rasters: async (group) =>
      [...rasters].flatMap(([id, own]) => (group === undefined || own === group ? [id] : [])),
  };
  const plan = async (path: string, body?: object): Promise<LandscapePlan> => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await client.json<LandscapePlan>(path, sent);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const seen: Record<string, number> = {};
  const stored = new Map<string, LandscapePlan>();
  let asked = plainly;
  for (let round = 0; round < runs && (round < 3 || !isTimeUp()); round += 1) {
    const where = `seed ${seed}, run ${round}`;
    if (round > 0) asked = await withoutLostPins(world, await changeAtRandom(random, world, asked));
    const planned = await plan('/landscape/plans', asked);
    const { body: dry } = await client.json<LandscapeRun>('/landscape/runs?dry_run=true', {
      method: 'POST',
      body: JSON.stringify(asked),
    });
    const run = await client.run(asked);
    const begun = await plan(`/landscape/runs/${run.id}/plan`);
    assert.deepEqual({ ...begun, planned_at: null }, planned, where);
    stored.set(run.id, begun);
    for (const [place, { node_code: code, action, reason, output }] of planned.nodes.entries()) {
      const [dryNode, node] = [dry.nodes?.[place], run.nodes[place]];
      assert.equal(node?.node_code, code);
      assert.equal(dryNode?.status === 'skipped', action === 'reuse', where);
      assert.equal(node.status, action === 'reuse' ? 'skipped' : 'succeeded', where);
      if (output !== null) assert.equal(node.outputs?.[0]?.dataset_id, output, where);
      seen[reason ?? 'null'] = (seen[reason ?? 'null'] ?? 0) + 1;
      for (const each of node.status === 'succeeded' ? (node.outputs ?? []) : []) {
        made.push(each.dataset_id);
        rasters.set(each.dataset_id, each.group);
      }
    }
  }
  for (const [id, before] of stored) assert.deepEqual(await plan(`/landscape/runs/${id}/plan`), before);
  t.diagnostic(JSON.stringify(seen));
});
