import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Block, finishedBlock } from '../tiff/decode-block.ts';
import { createBlockCache } from './block-cache.ts';

const blockOf = (value: number): Block => finishedBlock(new Uint8Array(100).fill(value));
const valueOf = (block: Block) => block.samples(0, 0)[0];
/** Borrows the block of a key, and returns it. */
async function readOnce(cache: ReturnType<typeof createBlockCache>, key: string, block: Block) {
  using lent = cache.lend(key, async () => block);
  return await lent.block;
}

test('a block that was used is there for the next, and the least recently used one goes, with its memory', async () => {
  const cache = createBlockCache(250);
  const [first, second, third] = [blockOf(1), blockOf(2), blockOf(3)];
  await readOnce(cache, 'first', first);
  await readOnce(cache, 'second', second);
  assert.equal(await readOnce(cache, 'first', blockOf(9)), first);
  await readOnce(cache, 'third', third);
  assert.deepEqual([first, second, third].map(valueOf), [1, undefined, 3]);
  assert.equal(cache.keptBytes(), 200);
});

test('a block that is lent keeps its memory, whatever else comes', async () => {
  const cache = createBlockCache(150);
  const block = blockOf(1);
  const lent = cache.lend('lent', async () => block);
  const other = cache.lend('lent', async () => await Promise.reject<Block>(new Error('there already')));
  await lent.block;
  await readOnce(cache, 'a', blockOf(2));
  await readOnce(cache, 'b', blockOf(3));
  lent[Symbol.dispose]();
  lent[Symbol.dispose]();
  assert.equal(valueOf(await other.block), 1, 'its other user has it still');
  other[Symbol.dispose]();
  await readOnce(cache, 'c', blockOf(4));
  assert.equal(valueOf(block), undefined);
});

test('a block that is given back at once and lent again stays with its next user', async () => {
  const cache = createBlockCache(100);
  const block = blockOf(1);
  await readOnce(cache, 'a', block);
  cache.lend('a', async () => blockOf(2))[Symbol.dispose]();
  using again = cache.lend('a', async () => blockOf(3));
  assert.equal(await again.block, block);
  await readOnce(cache, 'b', blockOf(4));
  assert.equal(valueOf(block), 1);
});

test('a block that every borrower has given back before it was there is kept', async () => {
  const cache = createBlockCache(150);
  const { promise, resolve } = Promise.withResolvers<Block>();
  const early = cache.lend('early', async () => await promise);
  early[Symbol.dispose]();
  const again = cache.lend('early', async () => blockOf(2));
  again[Symbol.dispose]();
  resolve(blockOf(1));
  await promise;
  assert.equal(valueOf(await readOnce(cache, 'early', blockOf(3))), 1);
  assert.equal(cache.keptBytes(), 100);
});

test('one that is larger than all that may be kept is lent all the same, a failure is not kept', async () => {
  const cache = createBlockCache(50);
  const block = blockOf(1);
  using lent = cache.lend('large', async () => block);
  assert.equal(valueOf(await lent.block), 1);
  lent[Symbol.dispose]();
  assert.equal(valueOf(block), undefined);
  assert.equal(cache.keptBytes(), 0);
  const broken = cache.lend('broken', async () => await Promise.reject<Block>(new Error('broken')));
  await assert.rejects(broken.block, /broken/);
  broken[Symbol.dispose]();
  assert.equal(valueOf(await readOnce(cache, 'broken', blockOf(2))), undefined, 'given back, and too large');
});
