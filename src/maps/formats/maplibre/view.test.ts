import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from './view.ts';

test('a map begins with the whole of its bounds in 512 pixels', () => {
  assert.deepEqual(viewOf([-180, -85.051_128, 180, 85.051_128]), { center: [0, 0], zoom: 0 });
  assert.deepEqual(viewOf([0, 0, 90, 10]), { center: [45, 5.01915], zoom: 2 });
  // Higher than wide: 66.51326° is a quarter of the world above the equator.
  assert.deepEqual(viewOf([60, 0, 61, 66.513_26]), { center: [60.5, 40.9799], zoom: 2 });
  assert.deepEqual(viewOf([67, 51, 70, 53]), { center: [68.5, 52.01117], zoom: 6 });
});

test('across 180°, at the poles, and at a single place', () => {
  assert.deepEqual(viewOf([170, 0, -170, 1]).center, [180, 0.50002]);
  assert.deepEqual(viewOf([170, 0, -150, 1]).center, [-170, 0.50002]);
  assert.deepEqual(viewOf([-180, -90, 180, 90]), { center: [0, 0], zoom: 0 });
  assert.deepEqual(viewOf([76.9, 43.25, 76.9, 43.25]), { center: [76.9, 43.25], zoom: 14 });
});
