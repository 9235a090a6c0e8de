import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../common/errors.ts';
import { readGeometry } from './geometry.ts';

const read = (geometry: unknown) => readGeometry(Buffer.from(JSON.stringify(geometry)), 'feature 3').parts;
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];
const flatSquare = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0];

test('every type of geometry is taken apart by dimension, without heights', () => {
  assert.deepEqual(read({ type: 'Point', coordinates: [1, 2, 3] }), {
    points: [1, 2],
    lines: [],
    polygons: [],
  });
  assert.deepEqual(
    read({
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    }).points,
    [1, 2, 3, 4],
  );
  assert.deepEqual(
    read({
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    }).lines,
    [[1, 2, 3, 4]],
  );
  assert.deepEqual(
    read({
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    }).lines.length,
    2,
  );
  assert.deepEqual(read({ type: 'Polygon', coordinates: [square] }).polygons, [[flatSquare]]);
  assert.deepEqual(read({ type: 'MultiPolygon', coordinates: [[square], [square]] }).polygons.length, 2);
  const mixed = read({
    type: 'GeometryCollection',
    geometries: [
      { type: 'Point', coordinates: [1, 2] },
      { type: 'GeometryCollection', geometries: [{ type: 'Polygon', coordinates: [square, square] }] },
    ],
  });
  assert.deepEqual(mixed, { points: [1, 2], lines: [], polygons: [[flatSquare, flatSquare]] });
});

test('empty geometries give nothing', () => {
  for (const type of ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']) {
    assert.deepEqual(read({ type, coordinates: [] }), { points: [], lines: [], polygons: [] });
  }
  assert.deepEqual(read({ type: 'GeometryCollection', geometries: [] }), {
    points: [],
    lines: [],
    polygons: [],
  });
});

test('an open ring is closed, and what bounds nothing is left out', () => {
  assert.deepEqual(read({ type: 'Polygon', coordinates: [square.slice(0, 4)] }).polygons, [[flatSquare]]);
  assert.deepEqual(read({ type: 'Polygon', coordinates: [square.slice(0, 2)] }).polygons, []);
  assert.deepEqual(read({ type: 'Polygon', coordinates: [square, square.slice(0, 1)] }).polygons, [
    [flatSquare],
  ]);
  assert.deepEqual(read({ type: 'LineString', coordinates: [[1, 2]] }).lines, []);
});

test('what is no geometry is refused, naming the feature', () => {
  for (const [geometry, sentence] of [
    [{}, /feature 3 is no geometry/],
    [{ type: 'Circle', coordinates: [] }, /feature 3 has the type "Circle"/],
    [{ type: 'Point' }, /nested/],
    [{ type: 'Point', coordinates: [1] }, /at least two numbers/],
    [{ type: 'Point', coordinates: ['1', 2] }, /no number/],
    [{ type: 'Polygon', coordinates: square }, /at least two numbers|nested/],
    [{ type: 'GeometryCollection' }, /nested/],
  ] as const) {
    assert.throws(
      () => read(geometry),
      (error) => error instanceof Problem && sentence.test(error.message),
    );
  }
  const beyond = Buffer.from('{"type":"Point","coordinates":[1e999,0]}');
  assert.throws(() => readGeometry(beyond, 'feature 1'), /no number/);
});
