import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, squareBlocks, wideBlocks } from './pass-spec.ts';

const gridOf = (width: number, height: number) => ({ width, height });

test('blocks cover a grid once, and begin where tiles of the second overview do', () => {
  for (const [width, height] of [
    [1, 1],
    [8192, 8192],
    [24_577, 3000],
    [12 * 24_576 + 1, 2049],
    [166_000, 163_000],
  ] as const) {
    const grid = gridOf(width, height);
    const blocks = blocksOf({ grid, blocks: wideBlocks(grid) });
    assert.equal(
      blocks.reduce((sum, block) => sum + block.width * block.height, 0),
      width * height,
    );
    assert.equal(new Set(blocks.map(({ x, y }) => `${x} ${y}`)).size, blocks.length);
    assert.ok(blocks.every(({ x, y }) => x % 2048 === 0 && y % 2048 === 0));
    // Narrow blocks would have rows of tiles that are too short for a store to copy.
    assert.ok(blocks.every((block) => block.width >= Math.min(width, 10_000) && block.width <= 26_624));
  }
  const usual = gridOf(8192, 8192);
  assert.equal(blocksOf({ grid: usual, blocks: wideBlocks(usual) }).length, 4);
  const small = gridOf(600, 48);
  assert.deepEqual(
    blocksOf({ grid: small, blocks: squareBlocks(small, 512) }).map(({ width }) => width),
    [512, 88],
  );
});
