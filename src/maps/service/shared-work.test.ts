import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedWork } from './shared-work.ts';

const forever = () => new AbortController().signal;

test('equal work is done once for all who ask while it is under way', async () => {
  const shared = createSharedWork<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  let begun = 0;
  const work = async () => {
    begun += 1;
    return await promise;
  };
  const both = Promise.all([shared.once('a', work, forever()), shared.once('a', work, forever())]);
  const other = shared.once('b', work, forever());
  resolve(7);
  assert.deepEqual(await both, [7, 7]);
  assert.equal(await other, 7);
  assert.equal(begun, 2);
  await shared.once('a', work, forever());
  assert.equal(begun, 3);
});

test('whoever goes hears no more of it, and the work goes on for the others', async () => {
  const shared = createSharedWork<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const signals: AbortSignal[] = [];
  const work = async (signal: AbortSignal) => {
    signals.push(signal);
    return await promise;
  };
  const left = shared.once('a', work, leaving.signal);
  const stays = shared.once('a', work, forever());
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(signals[0]?.aborted, false);
  resolve(1);
  assert.equal(await stays, 1);
});

test('work that nobody waits for any more is given up, and begun anew for the next', async () => {
  const shared = createSharedWork<number>();
  const leaving = new AbortController();
  const signals: AbortSignal[] = [];
  const never = async (signal: AbortSignal) => {
    signals.push(signal);
    return await new Promise<number>(() => undefined);
  };
  const left = shared.once('a', never, leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(signals[0]?.aborted, true);
  assert.equal(await shared.once('a', async () => 2, forever()), 2);
});

test('a failure reaches all, and is not kept', async () => {
  const shared = createSharedWork<number>();
  const fail = async () => await Promise.reject<number>(new Error('away'));
  await assert.rejects(shared.once('a', fail, forever()), /away/);
  assert.equal(await shared.once('a', async () => 3, forever()), 3);
});
