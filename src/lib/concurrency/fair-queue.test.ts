import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createFairQueue } from './fair-queue.ts';

const never = new AbortController().signal;
const limits = { places: 2, placesOfClient: 2, maxWaitingOfClient: 10, tooMany: () => new Error('too many') };

/** A queue that records who has a place, and can free each place. */
function noted(options: Partial<typeof limits> = {}) {
  const queue = createFairQueue({ ...limits, ...options });
  const begun: string[] = [];
  const places = new Map<string, Disposable>();
  return {
    begun,
    queue,
    enter: async (request: string, signal = never) => {
      const [client = ''] = request;
      places.set(request, await queue.enter(client, signal));
      begun.push(request);
    },
    async free(request: string) {
      (places.get(request) ?? assert.fail(request))[Symbol.dispose]();
      await turn();
    },
  };
}

describe('a fair queue', () => {
  test('gives places in turn, so that a client with one request waits for one of the others, not for all of them', async () => {
    const { begun, enter, free, queue } = noted();
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(async (request) => await enter(request));
    await turn();
    assert.deepEqual([begun, queue.waiting()], [['a1', 'a2'], 5]);
    for (const request of ['a1', 'a2', 'b2', 'a4', 'c1']) await free(request);
    await Promise.all(all);
    assert.deepEqual([begun, queue.waiting()], [['a1', 'a2', 'b2', 'a4', 'c1', 'b1', 'a3'], 0]);
  });

  test('keeps a place free that one client may not have', async () => {
    const { begun, enter, free } = noted({ places: 3 });
    for (const request of ['a1', 'a2', 'a3', 'a4']) void enter(request);
    await turn();
    assert.deepEqual(begun, ['a1', 'a2']);
    await enter('b1');
    await free('b1');
    assert.deepEqual(begun, ['a1', 'a2', 'b1']);
    await free('a2');
    assert.deepEqual(begun.slice(3), ['a4']);
  });

  test('forgets who leaves while it waits, and refuses a client that has too many waiting, and no other', async () => {
    const { begun, enter, free, queue } = noted({ places: 1, maxWaitingOfClient: 2 });
    await enter('a1');
    const leaving = new AbortController();
    const left = assert.rejects(enter('a2', leaving.signal), /gone/);
    void enter('a3');
    await assert.rejects(enter('a4'), /too many/);
    const other = enter('b1');
    leaving.abort(new Error('gone'));
    await left;
    assert.equal(queue.waiting(), 2);
    await free('a1');
    await free('a3');
    await other;
    assert.deepEqual([begun, queue.waiting()], [['a1', 'a3', 'b1'], 0]);
    await assert.rejects(queue.enter('c', leaving.signal), /gone/);
  });

  test('a place that is freed twice is one place', async () => {
    const { begun, enter, free } = noted({ places: 1 });
    await enter('a1');
    void enter('a2');
    void enter('a3');
    await free('a1');
    await free('a1');
    assert.deepEqual(begun, ['a1', 'a3']);
  });

  test('serves the newest and the oldest request of a client alternately, so that none waits for all others', async () => {
    const { begun, enter, free } = noted({ places: 1 });
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(async (request) => await enter(request));
    await turn();
    for (const request of ['a1', 'a6', 'a2', 'a5', 'a3']) await free(request);
    await Promise.all(all);
    assert.deepEqual(begun, ['a1', 'a6', 'a2', 'a5', 'a3', 'a4']);
  });
});
