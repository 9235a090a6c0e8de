import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { codesOf, goldenPins, planGolden, planRun, succeed } from '../support/landscape.ts';
import { assertKeys, nodeFields, runFields } from '../support/errors.ts';

claim(
  ['D6 dry run', '2.6 LandscapeRunNode.status', 'D6 fingerprint'],
  'a plan is a queued run that never began, its nodes pending or skipped, with inputs and fingerprints',
  async (client) => {
    // An order that no other claim may have run: those of explanations are near the default.
    const run = await planGolden(client, { params: { tie_priority: [4, 2, 5, 1, 3] } });
    assertKeys(run, runFields);
    assert.deepEqual([run.status, run.error, run.started_at, run.finished_at], ['queued', null, null, null]);
    assert.ok(!Number.isNaN(Date.parse(run.created_at)));
    for (const node of run.nodes) {
      assertKeys(node, nodeFields);
      assert.match(node.fingerprint, /^[0-9a-f]{64}$/);
      assert.deepEqual([node.error, node.started_at, node.finished_at], [null, null, null]);
      assert.equal(node.status === 'skipped', node.outputs !== null);
    }
    assert.deepEqual(codesOf(run, 'pending'), ['32', '34']);
  },
);

claim(['D6 dry run', '4.5 rule 4 null'], 'a run does what its plan said', async (client) => {
  const input = { overrides: await goldenPins(client), params: { v1_min_s_e12: 5, window_size: 300 } };
  const plan = await planRun(client, input);
  assert.deepEqual(codesOf(plan, 'pending'), ['33', '34']);
  const run = await succeed(client, input);
  assert.deepEqual(codesOf(run, 'succeeded'), codesOf(plan, 'pending'));
  assert.deepEqual(codesOf(run, 'skipped'), codesOf(plan, 'skipped'));
  assert.equal(run.nodes[17]?.fingerprint, plan.nodes[17]?.fingerprint);
});
