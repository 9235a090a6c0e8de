import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createCache } from './cache.ts';

const fail = async () => await Promise.reject<string>(new Error('away'));

/** Texts by key whose loads are counted; `bytes` is their length. */
function texts(options: Parameters<typeof createCache<string | undefined>>[0] = {}) {
  const stored = new Map<string, string>();
  const loads: string[] = [];
  const cache = createCache<string | undefined>({ max: 100, ...options });
  const get = async (key: string) =>
    await cache.get(key, async () => {
      loads.push(key);
      return stored.get(key) ?? key;
    });
  return { ...cache, get, load: cache.get, stored, loads };
}

test('a value is loaded once, also for those who ask while it is under way', async () => {
  const { load } = texts();
  const { promise, resolve } = Promise.withResolvers<string>();
  const asked = [load('a', async () => await promise), load('a', fail)];
  resolve('A');
  assert.deepEqual(await Promise.all(asked), ['A', 'A']);
  assert.equal(await load('a', fail), 'A');
});

test('a failure reaches all who wait, and is not kept', async () => {
  const { load } = texts();
  const asked = await Promise.allSettled([load('a', fail), load('a', fail)]);
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await load('a', async () => 'back'), 'back');
});

test('no more values are kept than the limit says, and those that were asked for last', async () => {
  const { get, loads } = texts({ max: 2 });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
  assert.deepEqual(loads, ['a', 'b', 'c', 'b']);
});

test('no more bytes are kept than the limit says, and a larger value is not kept', async () => {
  const { get, loads, stored } = texts({ max: 0, maxBytes: 10, bytesOf: (text) => text?.length ?? 0 });
  stored.set('long', 'longer than ten').set('', '');
  for (const key of ['four', 'five', 'four', 'six', 'four', 'five', 'long', 'long', '', '']) await get(key);
  assert.deepEqual(loads, ['four', 'five', 'six', 'five', 'long', 'long', '']);
});

test('a value is loaded again after its time', async () => {
  const { get, stored } = texts({ ttlMs: 20 });
  assert.equal(await get('a'), 'a');
  stored.set('a', 'second');
  await sleep(100);
  assert.equal(await get('a'), 'second');
});

test('forgotten values are loaded again, one or all that begin so', async () => {
  const { get, forget, forgetAll, loads } = texts();
  const keys = ['a 1', 'a 2', 'b 1'];
  for (const key of keys) await get(key);
  forget('b 1');
  forgetAll('a ');
  for (const key of keys) await get(key);
  assert.deepEqual(loads, [...keys, ...keys]);
  forgetAll();
  await get('a 1');
  assert.equal(loads.length, 7);
});

for (const how of ['forget', 'forgetAll'] as const) {
  test(`a load that ${how} has met under way is neither shared nor kept, whatever ends first`, async () => {
    const cache = createCache<string>({ max: 10 });
    const [old, young] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const first = cache.get('a', async () => await old.promise);
    cache[how]('a');
    const second = cache.get('a', async () => await young.promise);
    old.resolve('old');
    assert.equal(await first, 'old');
    const third = cache.get('a', fail);
    young.resolve('new');
    assert.deepEqual(await Promise.all([second, third, cache.get('a', fail)]), ['new', 'new', 'new']);
  });
}

test('where some values may not be kept, those are loaded for each who asks, and no load is shared', async () => {
  const { get, loads, stored } = texts({ isLasting: (text) => text !== 'under way' });
  stored.set('b', 'under way');
  for (const key of ['a', 'a', 'b', 'b']) await get(key);
  assert.deepEqual(loads, ['a', 'b', 'b']);
  await Promise.all([get('c'), get('c')]);
  assert.deepEqual(loads.slice(3), ['c', 'c']);
});
