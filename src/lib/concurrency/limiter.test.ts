import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './limiter.ts';

const never = new AbortController().signal;

test('results come in the order of the items, and no more than the limit run at once', async () => {
  let running = 0;
  let most = 0;
  const results = await inParallel([30, 1, 20, 2], { limit: 2, signal: never }, async (ms) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(ms);
    running -= 1;
    return ms * 10;
  });
  assert.deepEqual(results, [300, 10, 200, 20]);
  assert.equal(most, 2);
});

test('the first failure is thrown once all that were begun have ended, and nothing else begins', async () => {
  const begun: number[] = [];
  let ended = 0;
  const failing = inParallel([1, 2, 3], { limit: 2, signal: never }, async (item, signal) => {
    begun.push(item);
    if (item === 1) throw new Error('one');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    ended += 1;
    throw new Error('two');
  });
  await assert.rejects(failing, /one/);
  assert.deepEqual(begun, [1, 2]);
  assert.equal(ended, 1);
});

test('nothing begins after an abort', async () => {
  const reason = new Error('shut down');
  const aborted = inParallel([1], { limit: 1, signal: AbortSignal.abort(reason) }, async () => {
    assert.fail('it began');
  });
  await assert.rejects(aborted, reason);
});
