import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divided, rate, ratingsByBits, ratingTable } from './rating.ts';

const noData = -9999;
const table = ratingTable([-3.5, 0.35, 2, 1000], [5, 4, 3, 2, 1]);
const byBits = ratingsByBits(table, noData);

function upperHalfOf(x: number): number {
  return (new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0) >>> 16;
}

test('numbers rated by their bits have the ratings that they have one by one', () => {
  const around = [-3.5, 0.35, 2, 1000].flatMap((at) => [at, at * (1 - 1e-3), at * (1 + 1e-3), at * 1.1]);
  const numbers = [...around, 0, -0, 1e-40, -1e-40, 3.4e38, -3.4e38, Infinity, -Infinity, 123.456, -77];
  for (const x of numbers) {
    const rating = byBits[upperHalfOf(x)];
    if (rating !== divided) assert.equal(rating, rate(table, Math.fround(x)), `${x}`);
  }
});

test('only breaks and special numbers have to be looked at one by one', () => {
  const isDivided = (x: number): boolean => byBits[upperHalfOf(x)] === divided;
  assert.ok(isDivided(0.35) && isDivided(noData));
  // A break at the beginning of a range of 16 leading bits does not divide it.
  assert.ok(!isDivided(2) && !isDivided(-9800));
  assert.ok(byBits.filter((rating) => rating === divided).length <= 5);
});
