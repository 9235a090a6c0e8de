import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpeedMeter } from './send.ts';

test('speed is that of the last seconds', () => {
  const measure = createSpeedMeter(100_000);
  assert.equal(measure(0, 0), undefined);
  assert.equal(measure(500, 500), undefined);
  assert.deepEqual(measure(2000, 2000), { bytesPerSecond: 1000, secondsLeft: 98 });
  // The network becomes ten times as fast; the slow beginning is forgotten.
  for (let second = 3; second <= 9; second += 1) measure(2000 + (second - 2) * 10_000, second * 1000);
  assert.deepEqual(measure(82_000, 10_000), { bytesPerSecond: 10_000, secondsLeft: 2 });
});

test('an upload that stands still has no speed', () => {
  const measure = createSpeedMeter(1000);
  measure(100, 0);
  assert.equal(measure(100, 3000), undefined);
});
