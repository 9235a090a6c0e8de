import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../lib/errors.ts';
import { createTileBudget } from './tile-budget.ts';

const isTooMany = (error: unknown) => error instanceof Problem && error.code === 'too_many';
const nothing = async () => undefined;

test('a client has twice its tiles at once, then as many as time brings, and others have their own', async () => {
  let at = 0;
  const budget = createTileBudget(10, () => at);
  for (let i = 0; i < 20; i += 1) await budget.spend('a', nothing);
  await assert.rejects(budget.spend('a', nothing), isTooMany);
  await budget.spend('b', nothing);
  at = 100;
  await budget.spend('a', nothing);
  await assert.rejects(budget.spend('a', nothing), isTooMany);
  at = 1e6;
  for (let i = 0; i < 20; i += 1) await budget.spend('a', nothing);
  await assert.rejects(budget.spend('a', nothing), isTooMany);
});

test('a client has 16 tiles under way, others wait for their turn, and one that fails makes room', async () => {
  const budget = createTileBudget(1000);
  const begun: number[] = [];
  const underWay = Array.from({ length: 18 }, () => Promise.withResolvers<number>());
  const drawn = underWay.map(async ({ promise }, index) =>
    budget.spend('a', async () => {
      begun.push(index);
      return await promise;
    }),
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
  assert.equal(await budget.spend('a', async () => 18), 18);
});

test('as many tiles wait as a client has at once', async () => {
  let at = 0;
  const budget = createTileBudget(1, () => at);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const wanted = Array.from({ length: 18 }, () => {
    at += 1000;
    return budget.spend('a', async () => await promise);
  });
  at += 1000;
  await assert.rejects(budget.spend('a', nothing), isTooMany);
  resolve(undefined);
  await Promise.all(wanted);
  await budget.spend('a', nothing);
});
