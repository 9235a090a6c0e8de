import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCover } from './cover.ts';

const square = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...rings: number[][][]): string => JSON.stringify({ type: 'Polygon', coordinates: rings });
/** Square kilometres between two parallels on the authalic sphere. */
const areaOf = (west: number, south: number, east: number, north: number): number => {
  const degree = Math.PI / 180;
  const height = Math.sin(north * degree) - Math.sin(south * degree);
  return 6371.007_18 ** 2 * (east - west) * degree * height;
};
const isNear = (found: number, expected: number): void =>
  assert.ok(Math.abs(found - expected) < 1e-4 * areaOf(70, 50, 72, 51), `${found} instead of ${expected}`);

test('gaps, overlaps and land outside are measured as on the sphere, with a hole and with parts', () => {
  const cover = createCover(polygon(square(70, 50, 72, 51)));
  cover.add(polygon(square(70, 50, 71, 51), square(70.25, 50.25, 70.75, 50.75)));
  cover.add(polygon(square(70.9, 50, 71.5, 51)));
  cover.add(JSON.stringify({ type: 'MultiPolygon', coordinates: [[square(71.5, 50.5, 72.5, 51)]] }));
  const { area, gaps, overlaps, outside } = cover.result();
  isNear(area, areaOf(70, 50, 72, 51));
  isNear(gaps, areaOf(70.25, 50.25, 70.75, 50.75) + areaOf(71.5, 50, 72, 50.5));
  isNear(overlaps, areaOf(70.9, 50, 71, 51));
  isNear(outside, areaOf(72, 50.5, 72.5, 51));
});

test('a unit that fits has none of them, however small it is and however its ring runs', () => {
  const small = square(70, 50, 70.001, 50.001);
  const cover = createCover(polygon(small));
  cover.add(polygon(small.toReversed()));
  const { area, gaps, overlaps, outside } = cover.result();
  assert.ok(area > 0.007 && gaps + overlaps + outside === 0);
});

test('of three units in one place two are too many', () => {
  const cover = createCover(polygon(square(70, 50, 72, 51)));
  for (let times = 0; times < 3; times += 1) cover.add(polygon(square(70, 50, 72, 51)));
  const { area, gaps, overlaps } = cover.result();
  isNear(overlaps, 2 * area);
  assert.equal(gaps, 0);
});
