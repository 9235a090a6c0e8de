import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../common/errors.ts';
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

test('a client has 16 tiles under way, and one that fails makes room', async () => {
  const budget = createTileBudget(1000);
  const { promise, reject } = Promise.withResolvers<undefined>();
  const drawn = Array.from({ length: 16 }, async () => await budget.spend('a', async () => await promise));
  const settled = Promise.allSettled(drawn);
  await assert.rejects(budget.spend('a', nothing), isTooMany);
  reject(new Error('away'));
  await settled;
  await budget.spend('a', nothing);
});
