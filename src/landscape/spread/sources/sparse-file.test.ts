import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/for-tests.ts';
import { KiB } from '../../../lib/units.ts';
import { createMemoryObjects } from '../../../object-store/memory-objects.ts';
import { ObjectMissing, type ObjectReader, StoreUnavailable } from '../../../object-store/object-store.ts';
import { createPagedSource, HeadTooLarge } from './pages.ts';
import { createSparseFiles } from './sparse-file.ts';

const { signal } = new AbortController();
const folder = await temporaryFolder();
const path = join(folder, 'sparse');
const window = { x: 0, y: 0, width: 1, height: 1 };

/** A TIFF with some 32-bit tags, and a given number of bytes. */
function tiffOf(
  tags: readonly (readonly [tag: number, count: number, value: number])[],
  bytes: number,
): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, count, value]] of tags.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** An image with one strip of 100,000 bytes, after the other data. */
const strip = [
  [256, 1, 1000],
  [257, 1, 100],
  [258, 1, 8],
  [273, 1, 200_000],
  [277, 1, 1],
  [278, 1, 100],
  [279, 1, 100_000],
] as const;

async function bringOf(bytes: Buffer, change: Partial<ObjectReader> = {}): Promise<number | undefined> {
  const objects = createMemoryObjects();
  objects.put('a', bytes);
  const files = createSparseFiles({ ...objects, ...change });
  return await files.bring({ key: 'a', path, windows: [window], signal }).finally(() => objects.remove('a'));
}

test('pages are read once, neighbours together, and no more than may be kept', async () => {
  const calls: (readonly [number, number])[] = [];
  const source = createPagedSource({ sizeBytes: 300 * KiB, maxBytes: 256 * KiB }, async (bytes, start) => {
    calls.push([start / KiB, bytes.length / KiB]);
    bytes.fill(start / KiB);
    await Promise.resolve();
  });
  assert.deepEqual([...(await source.read(64 * KiB - 1, 2))], [0, 0]);
  assert.deepEqual([...(await source.read(128 * KiB - 1, 2))], [0, 128]);
  assert.deepEqual(calls, [
    [0, 128],
    [128, 64],
  ]);
  assert.equal((await source.read(300 * KiB, 5)).length, 0);
  await assert.rejects(source.read(192 * KiB, 100 * KiB), HeadTooLarge);
});

test('what is not a TIFF, lies about itself or is of an unknown kind is not brought in parts', async () => {
  const shared = Array.from({ length: 20 }, (_, index) => [60_000 + index, 1_000_000, 300] as const);
  for (const bytes of [
    Buffer.from('no TIFF'),
    tiffOf(strip, 1000).subarray(0, 40),
    tiffOf([...strip, [60_000, 1_000_000, 300]], 300_000),
    tiffOf([...strip, ...shared], 4_100_000),
    tiffOf([...strip.slice(0, 3), [259, 1, 12_345], ...strip.slice(3)], 300_000),
  ]) {
    assert.equal(await bringOf(bytes), undefined);
    assert.deepEqual(await readdir(folder), []);
  }
});

test('a store that gives less than was asked for, or nothing, leaves no file', async () => {
  const bytes = tiffOf(strip, 300_000);
  const half = async () => await Promise.resolve(Readable.from([Buffer.alloc(7)]));
  await assert.rejects(bringOf(bytes, { read: half }), /gave 7 bytes of 100004 of a/);
  const away = async () => await Promise.reject(new StoreUnavailable({ cause: new Error('away') }));
  await assert.rejects(bringOf(bytes, { read: away }), StoreUnavailable);
  await assert.rejects(bringOf(bytes, { open: async () => await Promise.resolve(undefined) }), ObjectMissing);
  assert.deepEqual(await readdir(folder), []);
});
