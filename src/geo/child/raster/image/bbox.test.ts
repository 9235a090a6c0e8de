import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Problem } from '../../../../lib/errors.ts';
import { farthestMiss, fitAffine } from './georeference.ts';
import { geographicBbox, outlineOf, planeBbox } from './bbox.ts';

const outline = (west: number, south: number, east: number, north: number) =>
  outlineOf({ width: 10, height: 10, affine: [west, (east - west) / 10, 0, north, 0, (south - north) / 10] });

describe('The box of a raster', () => {
  test('is that of its corners in a plane, also when it is rotated', () => {
    assert.deepEqual(planeBbox(outline(1, 2, 3, 4)), [1, 2, 3, 4]);
    const rotated = outlineOf({ width: 2, height: 2, affine: [0, 1, 1, 0, 1, -1] });
    assert.deepEqual(planeBbox(rotated), [0, -2, 4, 2]);
  });

  test('has west greater than east across the antimeridian', () => {
    assert.deepEqual(geographicBbox(outline(170, -10, 190, 10)), [170, -10, -170, 10]);
    const wrapped = outline(170, -10, 190, 10).map(
      ([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat] as const,
    );
    assert.deepEqual(geographicBbox(wrapped), [170, -10, -170, 10]);
    assert.deepEqual(geographicBbox(outline(-190, 0, -170, 10)), [170, 0, -170, 10]);
  });

  test('is the whole world for a whole world, whatever the first meridian', () => {
    assert.deepEqual(geographicBbox(outline(-180, -90, 180, 90)), [-180, -90, 180, 90]);
    assert.deepEqual(geographicBbox(outline(0, -90, 360, 90)), [-180, -90, 180, 90]);
    assert.deepEqual(geographicBbox(outline(-180.5, -90.5, 179.5, 90.5)), [-180, -90, 180, 90]);
    assert.deepEqual(geographicBbox(outline(90, 0, 180, 90)), [90, 0, 180, 90]);
  });

  test('holds the pole that its outline runs around', () => {
    const around = (lat: number) => Array.from({ length: 36 }, (_, i) => [i * 10 - 175, lat] as const);
    assert.deepEqual(geographicBbox(around(70)), [-180, 70, 180, 90]);
    assert.deepEqual(geographicBbox(around(-70).toReversed()), [-180, -90, 180, -70]);
  });

  test('is refused when coordinates are no longitudes and latitudes at all', () => {
    assert.throws(() => geographicBbox(outline(500_000, 5_000_000, 500_100, 5_000_100)), Problem);
    assert.throws(() => geographicBbox([[Number.NaN, Number.NaN]]), Problem);
  });
});

describe('Ground control points', () => {
  test('give the affine placement that they lie on', () => {
    const affine = [1000, 2, 0.5, 6_000_000, -0.25, -3] as const;
    const points = [
      [0, 0],
      [100, 0],
      [0, 50],
      [70, 20],
    ].map(([pixel = 0, line = 0]) => ({
      pixel,
      line,
      x: affine[0] + affine[1] * pixel + affine[2] * line,
      y: affine[3] + affine[4] * pixel + affine[5] * line,
    }));
    fitAffine(points)?.forEach((value, i) =>
      assert.ok(Math.abs(value - (affine[i] ?? 0)) < 1e-6, `${i}: ${value}`),
    );
    assert.equal(fitAffine(points)?.length, 6);
  });

  test('give none when they are too few or in one line', () => {
    const diagonal = [0, 1, 2, 3].map((i) => ({ pixel: i, line: i, x: i, y: i }));
    assert.equal(fitAffine(diagonal), undefined);
    assert.equal(fitAffine(diagonal.slice(0, 1)), undefined);
  });

  test('lie away from the placement that fits best when no straight grid goes through them', () => {
    const corner = (pixel: number, line: number, x: number) => ({ pixel, line, x, y: -2 * line });
    const straight = [corner(0, 0, 0), corner(10, 0, 20), corner(0, 10, 0), corner(10, 10, 20)];
    assert.equal(farthestMiss(straight, [0, 2, 0, 0, 0, -2]), 0);
    // One corner is 8 pixels away from the position that the three others imply: each of the four takes a quarter.
    const bent = [...straight.slice(0, 3), corner(10, 10, 36)];
    const affine = fitAffine(bent);
    assert.ok(affine !== undefined && Math.abs(farthestMiss(bent, affine) - 8 / 4 / 1.4) < 1e-9);
  });

  test('give axes that are not rotated when they are two', () => {
    const corners = [
      { pixel: 0, line: 0, x: 60, y: 50 },
      { pixel: 10, line: 20, x: 61, y: 46 },
    ];
    assert.deepEqual(fitAffine(corners), [60, 0.1, 0, 50, 0, -0.2]);
    assert.equal(fitAffine(corners.map((corner) => ({ ...corner, line: 5 }))), undefined);
  });
});
