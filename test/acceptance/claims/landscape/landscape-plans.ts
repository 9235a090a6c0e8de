import assert from 'node:assert/strict';
import { checkedElsewhere, claim } from '../../claim.ts';
import { codesOf, goldenPins, planGolden, planRun, succeed } from '../../support/landscape.ts';
import { assertKeys, nodeFields, runFields } from '../../support/errors.ts';

claim(
  ['D6 dry run', '2.6 LandscapeRunNode.status', 'D6 fingerprint'],
  'a plan is a queued run that never began, its nodes pending or skipped, with inputs and fingerprints',
  async (client) => {
    // An order that no other claim may have used in a run: claims about explanations use orders near the
    // default.
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

checkedElsewhere('src/landscape/plan/plans.test.ts', {
  'is said with its reason, and what waits to be read instead': ['D6 plan inputs'],
  'comes in the order of the graph, other pinned groups behind': ['D6 plan inputs'],
  'is what was planned when it began, whatever is uploaded or deleted later': ['D6 plan', 'D6 plan stored'],
  'is the one that it would have now while it is queued': ['D6 plan queued'],
  'that an earlier release has made has no reasons, and is compared with all the same': ['D6 plan before'],
  'of a run that could not begin has the error, and what was missing then': ['D6 plan fault'],
  'leads with the parameters where inputs have changed as well, and lists both': ['D6 plan reasons'],
  'says that another version of the graph has computed a node the last time': ['D6 plan reasons'],
  'the dry run, the plan and the run agree over ${sequences} sequences of changes': ['D6 plan agrees'],
});
checkedElsewhere('src/landscape/plan/plan-agreement.test.ts', {
  'a plan and the run that follows agree over ${sequences} sequences of changes, and say what is true': [
    'D6 plan reasons',
    'D6 plan agrees',
    'L8.3 from_stage',
  ],
});
checkedElsewhere('src/landscape/groups/slot-uploads.test.ts', {
  'is judged in the plan, and what stops is the error of plan and run': ['D6 plan findings', 'L8.4 picture'],
  'is not judged by its values before they are counted': ['D6 plan findings'],
});
checkedElsewhere('src/landscape/fitness/judge-input.test.ts', {
  'times 10,000 are known by their range, with the factor that NDVI usually has': ['D6 plan findings'],
  'none of which is known stop': ['D6 plan findings'],
  'beside the elevation stops, and names both': ['D6 plan findings'],
});
