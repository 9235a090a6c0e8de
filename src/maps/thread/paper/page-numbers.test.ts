import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePlace } from './page-numbers.ts';

const map = { x: 0, y: 0, width: 500, height: 400 };

test('the number of a unit stands in it, unless another one does', () => {
  assert.deepEqual(freePlace({ x: 100, y: 90, width: 12 }, [], map), { x: 100, y: 90 });
  assert.deepEqual(freePlace({ x: 100, y: 90, width: 12 }, [{ x: 100, y: 101, width: 12 }], map), {
    x: 100,
    y: 90,
  });
});

test('numbers of units in one place stand beside one another, on the map', () => {
  const placed: { x: number; y: number; width: number }[] = [];
  for (let count = 0; count < 12; count += 1)
    placed.push({ ...freePlace({ x: 15, y: 15, width: 12 }, placed, map), width: 12 });
  for (const [index, one] of placed.entries()) {
    assert.ok(one.x > 0 && one.y > 0, JSON.stringify(one));
    for (const other of placed.slice(index + 1))
      assert.ok(
        Math.abs(one.x - other.x) >= 12 || Math.abs(one.y - other.y) >= 11,
        JSON.stringify([one, other]),
      );
  }
});
