import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { maxWindowValues, windowsOf } from './pixels.ts';

const side = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 40_000 }));

test('windows cover every pixel once, follow the blocks and stay bounded', () => {
  const raster = fc.record({
    width: side,
    height: side,
    blockWidth: side,
    blockHeight: side,
    bands: fc.integer({ min: 1, max: 64 }).map((length) => ({ length })),
  });
  fc.assert(
    fc.property(raster, (given) => {
      const { width, height, blockWidth, blockHeight, bands } = given;
      let pixels = 0;
      let [nextX, nextY, rowHeight] = [0, 0, 0];
      for (const window of windowsOf(given)) {
        if (nextX === width) [nextX, nextY] = [0, nextY + rowHeight];
        assert.deepEqual([window.x, window.y], [nextX, nextY]);
        assert.ok(window.width > 0 && window.height > 0);
        assert.ok(window.width * window.height * bands.length <= maxWindowValues);
        if (blockWidth * blockHeight * bands.length <= maxWindowValues) {
          assert.ok(window.x % blockWidth === 0 && window.y % Math.min(blockHeight, height) === 0);
        }
        [nextX, rowHeight] = [window.x + window.width, window.height];
        pixels += window.width * window.height;
      }
      assert.equal(pixels, width * height);
    }),
    { numRuns: 300 },
  );
});
