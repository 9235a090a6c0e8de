import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gridOf } from '../../../test/support/landscape/graph.ts';
import type { PointTransformation } from '../../geo/raster-reader.ts';
import { coordinatesOf, centresOf, newCoordinates } from './transform-block.ts';

const place = { crs: 'projected', left: 500_000, top: 5_550_000, res: [1000, 1000] };
const grid = gridOf({ ...place, rows: 200, cols: 300 });

/** Distorts coordinates as a projection does, and counts the transformed points. */
function bending(jumpAt = Infinity) {
  const moved = { points: 0 };
  const transform: PointTransformation = (xs, ys) => {
    moved.points += xs.length;
    for (let i = 0; i < xs.length; i += 1) {
      const [x, y] = [xs[i] ?? 0, ys[i] ?? 0];
      xs[i] = 6.4e6 * Math.sin(x / 6.4e6) * Math.cos(y / 6.4e6) + (x > jumpAt ? 2 : 0);
      ys[i] = 6.4e6 * Math.sin(y / 6.4e6);
    }
  };
  return { moved, transform };
}

const whole = { x: 0, y: 0, width: 300, height: 200 };

test('coordinates are within a millionth of a pixel of those that are transformed one by one', () => {
  const { transform, moved } = bending();
  const { xs, ys } = coordinatesOf(grid, whole, transform, newCoordinates);
  assert.ok(moved.points < 0.15 * xs.length, `${moved.points} points`);
  const exact = centresOf(grid, whole);
  bending().transform(exact.xs, exact.ys);
  for (let i = 0; i < xs.length; i += 1) {
    assert.ok(Math.abs((xs[i] ?? 0) - (exact.xs[i] ?? 0)) < 1e-3, `x of ${i}`);
    assert.ok(Math.abs((ys[i] ?? 0) - (exact.ys[i] ?? 0)) < 1e-3, `y of ${i}`);
  }
});

test('where a transformation jumps, or ends, each point is transformed', () => {
  const end: PointTransformation = (xs) => xs.forEach((x, i) => (xs[i] = x > 530_000 ? Number.NaN : x));
  for (const { transform } of [bending(530_000), { transform: end }]) {
    const block = { x: 0, y: 0, width: 64, height: 64 };
    const exact = centresOf(grid, block);
    transform(exact.xs, exact.ys);
    assert.deepEqual(coordinatesOf(grid, block, transform, newCoordinates), exact);
  }
});

test('coordinates do not depend on the tile that they are found for', () => {
  for (const jumpAt of [Infinity, 530_000, 600_000.5]) {
    const { transform } = bending(jumpAt);
    const all = coordinatesOf(grid, whole, transform, newCoordinates);
    for (const tile of [
      { x: 0, y: 0, width: 64, height: 64 },
      { x: 37, y: 41, width: 211, height: 103 },
      { x: 299, y: 199, width: 1, height: 1 },
      { x: 250, y: 0, width: 50, height: 200 },
    ]) {
      const { xs, ys } = coordinatesOf(grid, tile, transform, newCoordinates);
      for (let y = 0; y < tile.height; y += 1) {
        const from = (tile.y + y) * grid.width + tile.x;
        const row = (values: Float64Array) => values.slice(y * tile.width, (y + 1) * tile.width);
        assert.deepEqual(row(xs), all.xs.slice(from, from + tile.width));
        assert.deepEqual(row(ys), all.ys.slice(from, from + tile.width));
      }
    }
  }
});
