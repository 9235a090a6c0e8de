import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createShareCurrent, createShareNext } from './single-flight.ts';

/** Reads that the test ends; `begun` has one entry per read. */
function createReads() {
  const begun: PromiseWithResolvers<string>[] = [];
  const share = createShareNext<string>();
  const ask = (key: string): Promise<string> =>
    share(key, async () => {
      const read = Promise.withResolvers<string>();
      begun.push(read);
      return await read.promise;
    });
  return { begun, ask };
}

test('those who ask while a read is under way share the next one, and not the one before', async () => {
  const { begun, ask } = createReads();
  const first = ask('a');
  const [second, third] = [ask('a'), ask('a')];
  await nextTurn();
  assert.equal(begun.length, 1);
  begun[0]?.resolve('old');
  assert.equal(await first, 'old');
  await nextTurn();
  assert.equal(begun.length, 2);
  const fourth = ask('a');
  begun[1]?.resolve('new');
  assert.deepEqual(await Promise.all([second, third]), ['new', 'new']);
  await nextTurn();
  assert.equal(begun.length, 3);
  begun[2]?.resolve('newest');
  assert.equal(await fourth, 'newest');
});

test('a failure is told to those who shared the read, and the next one is read all the same', async () => {
  const { begun, ask } = createReads();
  const first = assert.rejects(ask('a'), /away/);
  const second = ask('a');
  begun[0]?.reject(new Error('away'));
  await first;
  await nextTurn();
  begun[1]?.resolve('back');
  assert.equal(await second, 'back');
});

test('other keys are read at the same time, and an old key again', async () => {
  const { begun, ask } = createReads();
  const [one, other] = [ask('a'), ask('b')];
  assert.equal(begun.length, 2);
  begun[0]?.resolve('A');
  begun[1]?.resolve('B');
  assert.deepEqual(await Promise.all([one, other]), ['A', 'B']);
  await nextTurn();
  const again = ask('a');
  assert.equal(begun.length, 3);
  begun[2]?.resolve('A again');
  assert.equal(await again, 'A again');
});

test('a read that hangs holds up those who come later for five seconds, and no caller after them', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { begun, ask } = createReads();
  const first = ask('a');
  const second = ask('a');
  mock.timers.tick(4999);
  await nextTurn();
  assert.equal(begun.length, 1);
  mock.timers.tick(1);
  await nextTurn();
  assert.equal(begun.length, 2);
  const third = ask('a');
  begun[1]?.resolve('new');
  assert.equal(await second, 'new');
  await nextTurn();
  begun[2]?.resolve('newest');
  assert.equal(await third, 'newest');
  begun[0]?.resolve('late');
  assert.equal(await first, 'late');
  await nextTurn();
  const fourth = ask('a');
  assert.equal(begun.length, 4);
  begun[3]?.resolve('last');
  assert.equal(await fourth, 'last');
});

const forever = () => new AbortController().signal;

test('equal work is done once for all who ask while it is under way', async () => {
  const share = createShareCurrent<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  let begun = 0;
  const work = async () => {
    begun += 1;
    return await promise;
  };
  const both = Promise.all([share('a', work, forever()), share('a', work, forever())]);
  const other = share('b', work, forever());
  resolve(7);
  assert.deepEqual(await both, [7, 7]);
  assert.equal(await other, 7);
  assert.equal(begun, 2);
  await share('a', work, forever());
  assert.equal(begun, 3);
});

test('a caller that leaves hears no more of it, and the work goes on for the others', async () => {
  const share = createShareCurrent<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const signals: AbortSignal[] = [];
  const work = async (signal: AbortSignal) => {
    signals.push(signal);
    return await promise;
  };
  const left = share('a', work, leaving.signal);
  const stays = share('a', work, forever());
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(signals[0]?.aborted, false);
  resolve(1);
  assert.equal(await stays, 1);
});

test('work that no caller waits for any more is cancelled, and begun again for the next', async () => {
  const share = createShareCurrent<number>();
  const leaving = new AbortController();
  const signals: AbortSignal[] = [];
  const never = async (signal: AbortSignal) => {
    signals.push(signal);
    return await new Promise<number>(() => undefined);
  };
  const left = share('a', never, leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(signals[0]?.aborted, true);
  assert.equal(await share('a', async () => 2, forever()), 2);
});

test('a failure reaches all, and is not kept', async () => {
  const share = createShareCurrent<number>();
  const fail = async () => await Promise.reject<number>(new Error('away'));
  await assert.rejects(share('a', fail, forever()), /away/);
  assert.equal(await share('a', async () => 3, forever()), 3);
});
