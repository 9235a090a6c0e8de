import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ringArea } from './polygon-area.ts';

/** Surface of the WGS 84 ellipsoid in square metres (NIMA TR8350.2, table 3.3). */
const ellipsoid = 510_065_621_724_088.4;

test('a ring around the whole earth has the area of the ellipsoid, and one around half of it half', () => {
  const box = (west: number, south: number, east: number, north: number) =>
    ringArea([west, south, east, south, east, north, west, north, west, south]);
  assert.ok(Math.abs(box(-180, -90, 180, 90) / ellipsoid - 1) < 1e-12);
  assert.ok(Math.abs(box(-180, 0, 180, 90) / ellipsoid - 0.5) < 1e-12);
  // The start of a turn does not matter.
  assert.ok(Math.abs(box(170, -10, 190, 10) / box(0, -10, 20, 10) - 1) < 1e-12);
});

test('a ring that runs clockwise has a negative area', () => {
  const triangle = [60, 50, 61, 50, 61, 51, 60, 50];
  const turned = [60, 50, 61, 51, 61, 50, 60, 50];
  assert.ok(ringArea(triangle) > 0);
  assert.equal(ringArea(turned), -ringArea(triangle));
});

test('lines are straight in longitude and latitude however long they are', () => {
  const long = ringArea([60, -40, 100, 70, 60, 70, 60, -40]);
  const steps = 4000;
  const corners = Array.from({ length: steps + 1 }, (_, i) => [
    60 + (40 * i) / steps,
    -40 + (110 * i) / steps,
  ]);
  const parted = ringArea([...corners.flat(), 60, 70, 60, -40]);
  assert.ok(Math.abs(long / parted - 1) < 1e-11);
});
