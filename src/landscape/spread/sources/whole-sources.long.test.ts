import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeEngine } from '../../../../test/support/landscape/fake-workflow-engine.ts';
import { closeAfterTests } from '../../../../test/support/for-tests.ts';
import { startRuns } from '../../../../test/support/landscape/runs.ts';
import {
  digestsOf,
  fillWide,
  openSpreading,
  withWorkers,
} from '../../../../test/support/landscape/spread.ts';

const runs = await closeAfterTests(startRuns());
await fillWide(runs);
const expected = await digestsOf(runs, await runs.execute({ from_stage: 0 }));
const spreading = await closeAfterTests(openSpreading(runs, createFakeEngine().engine));

test('a source that a block needs elsewhere than was foreseen is brought as a whole', async () => {
  let computed = 0;
  const landscape = {
    findWindows: async ({ work }: Parameters<typeof runs.engines.landscape.findWindows>[0]) =>
      await Promise.resolve(
        Object.fromEntries(work.sources.map(({ key }) => [key, work.windows.map(() => null)])),
      ),
    compute: async (task: Parameters<typeof runs.engines.landscape.compute>[0]) => {
      computed += 1;
      return await runs.engines.landscape.compute(task);
    },
  };
  const spread = withWorkers(runs, (faults) => spreading.serve('here', faults));
  const run = await spread.execute({ from_stage: 0 }, { landscape }, spreading.cluster('here'));
  assert.equal(run.error, null);
  assert.deepEqual(await digestsOf(runs, run), expected);
  assert.equal(computed, 2 * 3); // two blocks, each computed without whole sources, with one, and with all
});
