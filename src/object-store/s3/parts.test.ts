import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { GiB, MiB } from '../../lib/units.ts';
import { createBudget, cutIntoParts, partBytesFor } from './parts.ts';

const body = (...sizes: readonly number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 7)));

async function sizesOf(
  source: Readable,
  partBytes: number,
): Promise<readonly (readonly [number, boolean])[]> {
  const parts = await Array.fromAsync(cutIntoParts(source, partBytes, createBudget(100 * MiB)));
  for (const part of parts) part.release();
  return parts.map(({ sizeBytes, isLast }) => [sizeBytes, isLast]);
}

test('parts are full but for the last, which is never empty beside another', async () => {
  assert.deepEqual(await sizesOf(body(), 10), [[0, true]]);
  assert.deepEqual(await sizesOf(body(10), 10), [[10, true]]);
  assert.deepEqual(await sizesOf(body(3, 30, 2), 10), [
    [10, false],
    [10, false],
    [10, false],
    [5, true],
  ]);
});

test('parts grow with a known size, so that there are at most nine thousand', () => {
  assert.equal(partBytesFor(undefined), 8 * MiB);
  assert.equal(partBytesFor(GiB), 8 * MiB);
  const huge = 500 * GiB;
  assert.ok(huge / partBytesFor(huge) <= 9000);
});

test('a body waits for its share of the memory, which comes back with what is released', async () => {
  const budget = createBudget(MiB);
  const [first, second] = [body(MiB), body(MiB)].map((source) => cutIntoParts(source, MiB, budget));
  const taken = await first?.next();
  let isWaiting = true;
  const waiting = second?.next().then(() => (isWaiting = false));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(isWaiting, true);
  if (taken?.done === false) taken.value.release();
  await waiting;
  assert.equal(isWaiting, false);
});

test('small bodies need no share', async () => {
  const budget = createBudget(1);
  await budget.take(1);
  const parts = await Array.fromAsync(cutIntoParts(body(1000), MiB, budget));
  assert.equal(parts[0]?.sizeBytes, 1000);
});

test('a part that arrives slowly gives its share back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const budget = createBudget(MiB);
  const slow = new Readable({ read: () => undefined });
  const cutting = cutIntoParts(slow, MiB, budget);
  const part = cutting.next();
  slow.push(Buffer.alloc(MiB / 2));
  await new Promise((resolve) => setImmediate(resolve));
  let isAdmitted = false;
  const admitted = budget.take(MiB).then(() => (isAdmitted = true));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isAdmitted, false);
  t.mock.timers.tick(30_000);
  await admitted;
  slow.push(null);
  await part;
});
