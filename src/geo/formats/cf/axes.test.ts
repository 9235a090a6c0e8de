import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regularAxis, wrapLongitudes } from './axes.ts';

const range = (first: number, step: number, size: number) =>
  Array.from({ length: size }, (_, i) => first + i * step);
function wrapped(centres: readonly number[]) {
  const axis = regularAxis(centres) ?? assert.fail('uneven');
  const { first, size, startColumn, isFlipped } = wrapLongitudes(axis);
  return { first, size, startColumn, isFlipped };
}

test('even centres are an axis, also in single precision and in descending order', () => {
  const single = Array.from(Float32Array.from(range(40.05, 0.1, 155)));
  assert.ok(Math.abs((regularAxis(single)?.step ?? NaN) - 0.1) < 1e-6);
  assert.deepEqual(regularAxis([50, 49, 48]), { first: 48, step: 1, size: 3, isFlipped: true });
  assert.equal(regularAxis([85.76, 80.27, 74.74, 69.21]), undefined);
  assert.equal(regularAxis([1, NaN, 3]), undefined);
  assert.equal(regularAxis([1]), undefined);
  assert.equal(regularAxis([1], 2)?.step, 2);
});

test('longitudes from 0 to 360 become -180 to 180', () => {
  assert.deepEqual(wrapped(range(0, 2, 180)), { first: -180, size: 180, startColumn: 90, isFlipped: false });
  assert.deepEqual(wrapped(range(1, 2, 180)), { first: -179, size: 180, startColumn: 90, isFlipped: false });
  assert.deepEqual(wrapped(range(-180, 2, 180)), {
    first: -180,
    size: 180,
    startColumn: 0,
    isFlipped: false,
  });
  // The first meridian is repeated at the end.
  assert.deepEqual(wrapped(range(0, 2, 181)), { first: -180, size: 180, startColumn: 90, isFlipped: false });
  assert.deepEqual(wrapped(range(350, 1, 10)), { first: -10, size: 10, startColumn: 0, isFlipped: false });
  // A region across the 180th meridian stays whole.
  assert.deepEqual(wrapped(range(170, 1, 20)), { first: 170, size: 20, startColumn: 0, isFlipped: false });
});
