import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KiB } from '../../lib/units.ts';
import { createBodyBuffers } from './body-buffers.ts';

const limits = { maxBytes: 512 * KiB, maxTakenBytes: 96 * KiB, maxKeptBytes: 32 * KiB };

function taken(take: ReturnType<typeof createBodyBuffers>, lengthBytes: number) {
  return take(lengthBytes) ?? assert.fail('no buffer');
}

test('a buffer is as long as the body and is used again only when it is given back for that', () => {
  const take = createBodyBuffers(limits);
  const first = taken(take, 20 * KiB);
  assert.equal(first.bytes.length, 20 * KiB);
  const beside = taken(take, 20 * KiB);
  assert.notEqual(beside.bytes.buffer, first.bytes.buffer);
  beside.giveBack('drop');
  first.giveBack('reuse');
  const next = taken(take, 30 * KiB);
  assert.equal(next.bytes.buffer, first.bytes.buffer);
  assert.equal(next.bytes.length, 30 * KiB);
  const other = taken(take, 30 * KiB);
  for (const buffer of [first, beside]) assert.notEqual(other.bytes.buffer, buffer.bytes.buffer);
});

test('no more bytes are taken than the limit says, and what is given back twice counts once', () => {
  const take = createBodyBuffers(limits);
  const [first] = [taken(take, 64 * KiB), taken(take, 32 * KiB)];
  assert.equal(take(1), undefined);
  for (const _ of [1, 2]) first.giveBack('reuse');
  taken(take, 64 * KiB);
  assert.equal(take(1), undefined);
});

test('a body that is too long gets none', () => {
  const take = createBodyBuffers({ ...limits, maxBytes: 40 * KiB });
  assert.equal(take(40 * KiB + 1), undefined);
  assert.equal(taken(take, 40 * KiB).bytes.length, 40 * KiB);
});

test('no more bytes are kept than the limit says', () => {
  const take = createBodyBuffers(limits);
  const old = [1, 2, 3].map(() => taken(take, 16 * KiB));
  for (const buffer of old) buffer.giveBack('reuse');
  const reused = [1, 2, 3].map(() => taken(take, 16 * KiB).bytes.buffer);
  assert.deepEqual(
    old.map(({ bytes }) => reused.includes(bytes.buffer)),
    [true, true, false],
  );
});
