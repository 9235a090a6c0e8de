import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchesOf, tilesOf, windowsOf } from './tiles.ts';

test('every window is dealt out once, in its order', () => {
  const windows = [...windowsOf({ width: 20_000, height: 9000 }, 2048)];
  for (const workers of [1, 2, 7]) {
    const batches = batchesOf(windows, workers);
    assert.deepEqual(batches.flat(), windows);
    assert.equal(batches.length, Math.max(workers, 6));
  }
});

test('no batch is much larger than 32 megapixels, unless it is one window', () => {
  const windows = [...windowsOf({ width: 40_960, height: 40_960 }, 2048)];
  const pixels = batchesOf(windows, 2).map((batch) => batch.length * 2048 * 2048);
  assert.ok(Math.max(...pixels) <= 32e6 + 2048 * 2048);
  const large = [...windowsOf({ width: 16_384, height: 16_384 }, 8192)];
  assert.deepEqual(
    batchesOf(large, 1).map((batch) => batch.length),
    [1, 1, 1, 1],
  );
});

test('every worker gets a batch as long as there are windows', () => {
  const windows = [...windowsOf({ width: 1500, height: 500 }, 512)];
  const sizes = (workers: number) => batchesOf(windows, workers).map((batch) => batch.length);
  assert.deepEqual(sizes(1), [3]);
  assert.deepEqual(sizes(2), [1, 2]);
  assert.deepEqual(sizes(8), [1, 1, 1]);
});

test('all tiles lie on one grid, whatever the windows', () => {
  const size = { width: 1700, height: 1100 };
  const tilesBy = (side: number) => {
    const tiles = [...tilesOf(windowsOf(size, side))];
    return tiles.toSorted((one, other) => one.y - other.y || one.x - other.x);
  };
  const [first, ...others] = [512, 256, 513, 1000, 8192].map(tilesBy);
  assert.equal(first?.length, 12);
  for (const tiles of others) assert.deepEqual(tiles, first);
});
