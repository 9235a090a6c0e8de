import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRecentResults } from './recent-results.ts';

const fail = async () => await Promise.reject<number>(new Error('away'));

test('a result is made once, also for those who ask while it is under way', async () => {
  const results = createRecentResults<number>(2);
  const { promise, resolve } = Promise.withResolvers<number>();
  const asked = [results.get('a', async () => await promise), results.get('a', fail)];
  resolve(1);
  assert.deepEqual(await Promise.all(asked), [1, 1]);
  assert.equal(await results.get('a', fail), 1);
});

test('those that were asked for last are kept', async () => {
  const results = createRecentResults<number>(2);
  for (const key of ['a', 'b', 'a', 'c']) await results.get(key, async () => 1);
  assert.equal(await results.get('a', fail), 1);
  await assert.rejects(results.get('b', fail), /away/);
});

test('a failure reaches all who wait, and is made anew for the next', async () => {
  const results = createRecentResults<number>(2);
  const asked = await Promise.allSettled([results.get('a', fail), results.get('a', fail)]);
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await results.get('a', async () => 2), 2);
});
