import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInside, outlineOf } from './outlines.ts';

const square = (from: number, to: number) => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
  [from, from],
];
const twice = (flat: number[]) => flat.map((value) => value * 2);

test('an outline is projected, and knows its extent', () => {
  const outline = outlineOf('10', { type: 'Polygon', coordinates: [square(1, 3)] }, twice);
  assert.deepEqual(outline, { kato: '10', rings: [[2, 2, 6, 2, 6, 6, 2, 6, 2, 2]], extent: [2, 2, 6, 6] });
});

test('a point is in a part and not in its hole', () => {
  const coordinates = [[square(0, 8), square(2, 4)], [square(20, 22)]];
  const outline = outlineOf('10', { type: 'MultiPolygon', coordinates }, (flat) => flat);
  assert.equal(isInside(outline, 1, 1), true);
  assert.equal(isInside(outline, 3, 3), false);
  assert.equal(isInside(outline, 21, 21), true);
  assert.equal(isInside(outline, 12, 12), false);
  assert.equal(isInside(outline, Number.NaN, 1), false);
});
