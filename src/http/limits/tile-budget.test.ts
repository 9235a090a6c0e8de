import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { createTileBudget } from './tile-budget.ts';

const isTooMany = (error: unknown) => error instanceof Problem && error.code === 'too_many';
const nothing = async () => undefined;
const stays = new AbortController().signal;

test('a client has twice its tiles at once, then as many as time brings, and others have their own', async () => {
  let at = 0;
  const budget = createTileBudget({ tilesPerSecond: 10, calls: 8, now: () => at });
  for (let i = 0; i < 20; i += 1) await budget.spend('a', nothing, stays);
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
  await budget.spend('b', nothing, stays);
  at = 100;
  await budget.spend('a', nothing, stays);
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
  at = 1e6;
  for (let i = 0; i < 20; i += 1) await budget.spend('a', nothing, stays);
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
});

test('a client has 16 tiles under way, others wait for their turn, and one that fails makes room', async () => {
  const budget = createTileBudget({ tilesPerSecond: 1000, calls: 8 });
  const begun: number[] = [];
  const underWay = Array.from({ length: 18 }, () => Promise.withResolvers<number>());
  const drawn = underWay.map(async ({ promise }, index) =>
    budget.spend(
      'a',
      async () => {
        begun.push(index);
        return await promise;
      },
      stays,
    ),
  );
  const settled = Promise.allSettled(drawn);
  await nothing();
  assert.equal(begun.length, 16);
  underWay[3]?.reject(new Error('away'));
  await drawn[3]?.catch(nothing);
  assert.deepEqual(begun.slice(16), [16]);
  for (const [index, { resolve }] of underWay.entries()) resolve(index);
  await settled;
  assert.equal(await drawn[17], 17);
  assert.equal(await budget.spend('a', async () => 18, stays), 18);
});

test('as many tiles wait as a client has at once', async () => {
  let at = 0;
  const budget = createTileBudget({ tilesPerSecond: 1, calls: 8, now: () => at });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const wanted = Array.from({ length: 18 }, () => {
    at += 1000;
    return budget.spend('a', async () => await promise, stays);
  });
  at += 1000;
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
  resolve(undefined);
  await Promise.all(wanted);
  await budget.spend('a', nothing, stays);
});

test('a request that leaves the queue has nothing drawn, pays nothing, and lets the next one through', async () => {
  const budget = createTileBudget({ tilesPerSecond: 10, calls: 4, now: () => 0 });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const drawn = Array.from({ length: 12 }, () => budget.spend('a', async () => await promise, stays));
  const leaving = new AbortController();
  const begun: string[] = [];
  const left = Array.from({ length: 8 }, () =>
    budget.spend('a', async () => void begun.push('left'), leaving.signal),
  );
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
  leaving.abort(new Error('gone'));
  await Promise.all(left.map(async (one) => await assert.rejects(one, /gone/)));
  await assert.rejects(budget.spend('a', nothing, leaving.signal), /gone/);
  const waiting = budget.spend('a', async () => void begun.push('stayed'), stays);
  resolve(undefined);
  await Promise.all([...drawn, waiting]);
  assert.deepEqual(begun, ['stayed']);
  for (let i = 0; i < 7; i += 1) await budget.spend('a', nothing, stays);
  await assert.rejects(budget.spend('a', nothing, stays), isTooMany);
});

test('a /64 of IPv6 is one client, however its addresses are written', async () => {
  const budget = createTileBudget({ tilesPerSecond: 1, calls: 4, now: () => 0 });
  await budget.spend('2001:db8:0:7::1', nothing, stays);
  await budget.spend('2001:db8::7:ffff:ffff:ffff:ffff', nothing, stays);
  await assert.rejects(budget.spend('2001:0DB8:0:7:1:2:3:4', nothing, stays), isTooMany);
  await budget.spend('2001:db8:0:8::1', nothing, stays);
  await budget.spend('2001:db8::', nothing, stays);
  await budget.spend('::ffff:192.0.2.1', nothing, stays);
  await budget.spend('192.0.2.1', nothing, stays);
  await assert.rejects(budget.spend('192.0.2.1', nothing, stays), isTooMany);
  await budget.spend('192.0.2.2', nothing, stays);
});

test('more calls of threads draw more tiles of one client at once', async () => {
  const budget = createTileBudget({ tilesPerSecond: 1000, calls: 32 });
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let begun = 0;
  const drawn = Array.from({ length: 100 }, () =>
    budget.spend(
      'a',
      async () => {
        begun += 1;
        await promise;
      },
      stays,
    ),
  );
  assert.equal(begun, 40);
  resolve(undefined);
  await Promise.all(drawn);
});
