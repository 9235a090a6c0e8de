import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { createRecentRows } from './recent-rows.ts';

/** Rows by id whose reads are counted; those that start with `x` may not be kept. */
function rowsFrom(limits: { readonly keepMs?: number; readonly maxKept?: number } = {}) {
  const stored = new Map<string, string>();
  const asked: string[] = [];
  const rows = createRecentRows<string>({
    load: async (id) => {
      asked.push(id);
      return stored.get(id);
    },
    isLasting: (row) => !row.startsWith('x'),
    keepMs: 60_000,
    ...limits,
  });
  return { stored, asked, ...rows };
}

test('a lasting row is read once, another one each time, and so is what is not there', async () => {
  const { stored, asked, get } = rowsFrom();
  stored.set('a', 'ready').set('b', 'x: under way');
  for (const id of ['a', 'a', 'b', 'b', 'c', 'c']) assert.equal(await get(id), stored.get(id));
  assert.deepEqual(asked, ['a', 'b', 'b', 'c', 'c']);
});

test('a row that is forgotten is read again', async () => {
  const { stored, get, forget } = rowsFrom();
  stored.set('a', 'first');
  assert.equal(await get('a'), 'first');
  stored.delete('a');
  forget('a');
  assert.equal(await get('a'), undefined);
});

test('a row that nobody tells of is read again after a while', async () => {
  const { stored, asked, get } = rowsFrom({ keepMs: 20 });
  stored.set('a', 'first');
  await get('a');
  stored.set('a', 'second');
  await sleep(100);
  assert.equal(await get('a'), 'second');
  assert.equal(asked.length, 2);
});

test('what was read before a change and comes after the news of it is not kept', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
  let reads = 0;
  const { get, forget } = createRecentRows<string>({
    load: async () => await (answers[reads++] ?? assert.fail('read too often')).promise,
    isLasting: () => true,
  });
  const overtaken = get('a');
  forget('a');
  answers[0].resolve('old');
  assert.equal(await overtaken, 'old');
  answers[1].resolve('new');
  assert.deepEqual([await get('a'), await get('a')], ['new', 'new']);
});

test('no more rows are kept than the limit says, and the oldest goes first', async () => {
  const { stored, asked, get } = rowsFrom({ maxKept: 2 });
  for (const id of ['a', 'b', 'c']) stored.set(id, id);
  for (const id of ['a', 'b', 'c', 'c', 'b', 'a']) await get(id);
  assert.deepEqual(asked, ['a', 'b', 'c', 'a']);
});
