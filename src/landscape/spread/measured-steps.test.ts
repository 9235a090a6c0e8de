import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steps as counter, stepSeconds } from '../../metrics/instruments.ts';
import { internalError, RunFailed } from '../runs/run-failed.ts';
import { PassGone } from './failures.ts';
import { withMetrics } from './steps.ts';

test('each ending of a step is counted, and what is done is measured', async () => {
  const aborted = AbortSignal.abort();
  const signal = new AbortController().signal;
  const work = async (error?: unknown): Promise<void> => {
    if (error !== undefined) throw error;
  };
  let error: unknown;
  const step = async (): Promise<void> => await work(error);
  const { computeBlock } = withMetrics({ computeBlock: step, judgePixels: step, publishOutputs: step });
  const input = { runId: 'a', place: 0 };
  await computeBlock(input, { signal });
  for (error of [new PassGone(), new RunFailed(internalError('31')), new Error('reset')]) {
    await assert.rejects(computeBlock(input, { signal }), error instanceof Error ? error : undefined);
  }
  await assert.rejects(computeBlock(input, { signal: aborted }));
  const { values } = await counter.get();
  assert.deepEqual(Object.fromEntries(values.map(({ labels, value }) => [labels.ending, value])), {
    done: 1,
    dropped: 2,
    failed: 1,
    again: 1,
  });
  const counts = (await stepSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'));
  assert.deepEqual(
    counts.map(({ labels, value }) => [labels.step, value]),
    [['compute-block', 1]],
  );
});
