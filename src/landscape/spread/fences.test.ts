import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLocalCluster } from '../execution/local-cluster.ts';
import { cancelRun } from '../runs/run-rows.ts';
import { PassGone } from './failures.ts';
import { describeComputeCluster } from '../../../test/contract/compute-cluster.ts';
import { openFencedRuns } from '../../../test/support/landscape/fenced-runs.ts';
import { codesOf, type MakeCluster } from '../../../test/support/landscape/runs.ts';
import { digestsOf, withWorkers } from '../../../test/support/landscape/spread.ts';

const { runs, expected, spreading, partsOf, begin, assertTidy } = await openFencedRuns();
const { db, engines } = runs;
const call = { signal: new AbortController().signal };

describeComputeCluster(
  'workers of an engine in this process',
  {
    runs: withWorkers(runs, (faults) => spreading.serve('own', faults)),
    makeCluster: spreading.cluster('own'),
  },
  expected,
);

describe('fences of a run that is spread over workers', () => {
  test('a second part of a block is refused, and its object goes', async () => {
    await using begun = await begin();
    const { id } = begun;
    const steps = spreading.steps('own');
    const block = { runId: id, place: 1 };
    await Promise.all([steps.computeBlock(block, call), steps.computeBlock(block, call)]);
    const [part, ...others] = await partsOf(id);
    assert.deepEqual([part?.place, others.length], [1, 0]);
    const keys = await db.selectFrom('objects').select('key').where('key', 'like', `parts/${id}/%`).execute();
    assert.deepEqual(keys, [{ key: part?.part_key }]);
    assert.deepEqual((await runs.read(id)).blocks, { done: 1, total: 2, engine_away_since: null });
    await steps.computeBlock(block, call); // as if the first answer was lost
    assert.deepEqual(await partsOf(id), [part]);
    assert.equal((await begun.finish()).status, 'succeeded');
    await assertTidy();
  });

  test('a worker without an engine takes over what the others have left, and they publish no more', async () => {
    await using begun = await begin();
    const { id, worker } = begun;
    const steps = spreading.steps('own');
    for (const place of [0, 1]) await steps.computeBlock({ runId: id, place }, call);
    // Other workers publish one output after this worker has read what is left, and would publish another
    // one.
    let isFirst = true;
    const local: MakeCluster = (dependencies) => ({
      async execute(attempt, left) {
        if (isFirst) await steps.publishOutputs({ runId: id, codes: ['34'] }, call);
        isFirst = false;
        await createLocalCluster(dependencies).execute(attempt, left);
        await assert.rejects(steps.publishOutputs({ runId: id, codes: ['31'] }, call), PassGone);
      },
    });
    await worker.stop();
    const successor = runs.start({}, local);
    const run = await runs.finished(id);
    await successor.stop();
    assert.equal(run.status, 'succeeded', run.error ?? '');
    assert.deepEqual(
      await digestsOf(runs, run),
      new Map([...expected].filter(([code]) => codesOf(run, 'succeeded').includes(code))),
    );
    await assertTidy();
  });

  test('what comes after the end is refused: a part, an output, a look at pixels', async () => {
    await using begun = await begin();
    const { id, worker } = begun;
    const parts = Promise.withResolvers<void>();
    const outputs = Promise.withResolvers<void>();
    const waiting = { part: Promise.withResolvers<void>(), output: Promise.withResolvers<void>() };
    const late = spreading.steps('own', {
      landscape: {
        async compute(task) {
          const result = await engines.landscape.compute(task);
          waiting.part.resolve();
          await parts.promise;
          return result;
        },
      },
      geo: {
        async composeRasters(task) {
          const cogs = await engines.geo.composeRasters(task);
          waiting.output.resolve();
          await outputs.promise;
          return cogs;
        },
      },
    });
    const steps = spreading.steps('own');
    await steps.computeBlock({ runId: id, place: 0 }, call);
    const part = late.computeBlock({ runId: id, place: 1 }, call);
    await waiting.part.promise;
    await steps.computeBlock({ runId: id, place: 1 }, call);
    const output = late.publishOutputs({ runId: id, codes: ['31', '34'] }, call);
    await waiting.output.promise;
    const refused = [part, output].map(async (late) => await assert.rejects(late, PassGone));
    await cancelRun(db, id);
    parts.resolve();
    outputs.resolve();
    await Promise.all(refused);
    await assert.rejects(steps.judgePixels({ runId: id }, call), PassGone);
    assert.deepEqual(codesOf(await runs.read(id), 'succeeded'), []);
    await worker.stop();
    await assertTidy();
  });
});
