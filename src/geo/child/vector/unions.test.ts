import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import gdal from 'gdal-async';
import type { Rings } from '../../formats/features/geometry.ts';
import { roundDegrees, roundLine, roundPolygon } from './geometry-text.ts';
import { createAreaUnion, createLineUnion, createPointUnion } from './unions.ts';
import { encodeMultiPolygon, encodeParts, encodePolygon, decodeParts } from '../../formats/ogr/wkb.ts';
import { repetitions } from '../../../../test/support/tier.ts';

const box = (x: number, y: number, side: number): Rings => [
  [x, y, x + side, y, x + side, y + side, x, y + side, x, y],
];

function uniteAreas(polygons: readonly Rings[]): readonly Rings[] {
  const union = createAreaUnion();
  polygons.forEach((polygon) => union.add(polygon));
  return union.finish();
}

function area(polygons: readonly Rings[]): number {
  const geometry = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons.map(encodePolygon)));
  assert.ok(geometry instanceof gdal.MultiPolygon && geometry.isValid());
  return geometry.getArea();
}

describe('The union of areas', () => {
  test('dissolves what overlaps or touches and keeps what is apart', () => {
    const united = uniteAreas([box(0, 0, 2), box(1, 1, 2), box(3, 1, 1), box(10, 10, 1)]);
    assert.equal(united.length, 2);
    assert.equal(area(united), 4 + 4 - 1 + 1 + 1);
  });

  test('keeps holes and closes those that another area fills', () => {
    const [hole = []] = box(1, 1, 1);
    const ring = [...box(0, 0, 3), hole];
    assert.equal(area(uniteAreas([ring])), 8);
    assert.equal(area(uniteAreas([ring, box(1, 1, 1)])), 9);
  });

  test('repairs a bow tie into its two triangles', () => {
    const united = uniteAreas([[[0, 0, 2, 2, 2, 0, 0, 2, 0, 0]]]);
    assert.equal(united.length, 2);
    assert.equal(area(united), 2);
  });

  test('has nothing left of a polygon without area or smaller than the rounding', () => {
    assert.deepEqual(uniteAreas([[[0, 0, 1, 1, 0, 0, 0, 0]], box(5, 5, 1e-9)]), []);
  });

  test('is valid, counter-clockwise and of the right area for boxes of any kind', () => {
    const oneBox = fc.tuple(fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 6 }));
    const boxes = fc.array(oneBox, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(boxes, (list) => {
        const united = uniteAreas(list.map(([x, y, side]) => box(x, y, side)));
        const cells = new Set(
          list.flatMap(([x, y, side]) =>
            Array.from({ length: side * side }, (_, i) => `${x + (i % side)} ${y + Math.floor(i / side)}`),
          ),
        );
        assert.equal(area(united), cells.size);
        for (const [outer = [], ...holes] of united) {
          assert.ok(turn(outer) > 0);
          holes.forEach((hole) => assert.ok(turn(hole) < 0));
        }
      }),
      { numRuns: repetitions('UNIONS', 30, 60) },
    );
  });

  test('stays valid when rounding moves corners of slivers', () => {
    const coordinate = fc.double({ min: 50, max: 50.000001, noNaN: true });
    const triangle = fc.array(coordinate, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(triangle, { minLength: 1, maxLength: 6 }), (triangles) => {
        const united = uniteAreas(triangles.map((t) => [[...t, t[0] ?? 0, t[1] ?? 0]]));
        if (united.length > 0) area(united);
        for (const value of united.flat(2)) assert.equal(value, roundDegrees(value));
      }),
      { numRuns: repetitions('UNIONS', 60, 200) },
    );
  });
});

describe('The union of lines', () => {
  test('cuts lines where they cross and keeps each stretch once', () => {
    const union = createLineUnion();
    for (const line of [
      [0, 0, 2, 2],
      [0, 2, 2, 0],
      [0, 0, 1, 1],
      [8, 8, 9, 9],
    ])
      union.add(line);
    const stretches = union.finish().map((line) => line.join(' '));
    assert.deepEqual(stretches.toSorted(), ['0 0 1 1', '0 2 1 1', '1 1 2 0', '1 1 2 2', '8 8 9 9']);
  });

  test('cuts each of many crosses that do not meet, whatever is united together', () => {
    const union = createLineUnion();
    const side = 150;
    for (let index = 0; index < side * side; index += 1) {
      const [x, y] = [(index % side) / 10, Math.floor(index / side) / 10];
      union.add([x, y, x + 0.02, y + 0.02]);
      union.add([x, y + 0.02, x + 0.02, y]);
    }
    const stretches = union.finish().map((line) => line.join(' '));
    assert.equal(stretches.length, side * side * 4);
    assert.equal(new Set(stretches).size, stretches.length);
  });
});

test('the union of points holds each place once', () => {
  const union = createPointUnion();
  union.add([3, 4, 1, 2, 3, 4, 3.00000001, 4, -0, 0]);
  assert.deepEqual(union.finish(), [0, 0, 1, 2, 3, 4]);
});

test('rounding leaves no ring or line without extent', () => {
  assert.equal(roundLine([1, 1, 1.00000001, 1]), undefined);
  assert.deepEqual(roundLine([1.123456789, 1, 1.123456789, 1, 2, 2]), [1.1234568, 1, 2, 2]);
  assert.equal(roundPolygon([[0, 0, 1e-9, 0, 0, 1e-9, 0, 0]]), undefined);
  const clockwise = [
    [0, 0, 0, 1, 1, 1, 1, 0, 0, 0],
    [0.2, 0.2, 0.4, 0.2, 0.4, 0.4, 0.2, 0.2],
    [0.5, 0.5, 0.5, 0.5000000001, 0.5000000001, 0.5, 0.5, 0.5],
  ];
  assert.deepEqual(roundPolygon(clockwise), [
    [0, 0, 1, 0, 1, 1, 0, 1, 0, 0],
    [0.2, 0.2, 0.4, 0.4, 0.4, 0.2, 0.2, 0.2],
  ]);
});

test('geometry goes to GDAL and back without a change', () => {
  const parts = {
    points: [1.1, -2.2, 3.3, 4.4],
    lines: [[0.1, 0.2, 0.3, 0.4]],
    polygons: [box(1, 2, 3), [...box(10, 10, 9), [11, 11, 12, 11, 12, 12, 11, 11]]],
  };
  assert.deepEqual(decodeParts(gdal.Geometry.fromWKB(encodeParts(parts)).toWKB('LSB')), parts);
});

function turn(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    sum += ((ring[i + 2] ?? 0) - (ring[i] ?? 0)) * -((ring[i + 3] ?? 0) + (ring[i + 1] ?? 0));
  }
  return sum;
}
