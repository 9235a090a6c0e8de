import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/errors.ts';
import { readGeometry } from './geometry.ts';

const read = (text: string) => readGeometry(Buffer.from(text), 'feature 3').parts;
const geometry = (type: string, coordinates: string) => `{"type":"${type}","coordinates":${coordinates}}`;
const nothing = { points: [], lines: [], polygons: [] };
const open = '[[0,0],[1,0],[1,1],[0,1]]';
const square = '[[0,0],[1,0],[1,1],[0,1],[0,0]]';
const flatSquare = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0];
const nested = `{"type":"GeometryCollection","geometries":[${geometry('Polygon', `[${square},${square}]`)}]}`;

for (const [name, text, parts] of [
  ['a point loses its height', geometry('Point', '[1,2,3]'), { points: [1, 2] }],
  ['points stand one after the other', geometry('MultiPoint', '[[1,2],[3,4]]'), { points: [1, 2, 3, 4] }],
  ['a line stays one', geometry('LineString', '[[1,2],[3,4]]'), { lines: [[1, 2, 3, 4]] }],
  [
    'lines stay apart',
    geometry('MultiLineString', '[[[1,2],[3,4]],[[5,6],[7,8]]]'),
    {
      lines: [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ],
    },
  ],
  ['a polygon keeps its ring', geometry('Polygon', `[${square}]`), { polygons: [[flatSquare]] }],
  [
    'polygons stay apart',
    geometry('MultiPolygon', `[[${square}],[${square}]]`),
    { polygons: [[flatSquare], [flatSquare]] },
  ],
  [
    'collections are opened',
    `{"type":"GeometryCollection","geometries":[${geometry('Point', '[1,2]')},${nested}]}`,
    { points: [1, 2], polygons: [[flatSquare, flatSquare]] },
  ],
  ['an open ring is closed', geometry('Polygon', `[${open}]`), { polygons: [[flatSquare]] }],
  [
    'a hole without extent is left out',
    geometry('Polygon', `[${square},[[0,0]]]`),
    { polygons: [[flatSquare]] },
  ],
  ['a polygon without extent is left out', geometry('Polygon', '[[[0,0],[1,0]]]'), {}],
  ['a line of one point is left out', geometry('LineString', '[[1,2]]'), {}],
  ...['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'].map(
    (type) => [`an empty ${type} gives nothing`, geometry(type, '[]'), {}] as const,
  ),
  ['an empty collection gives nothing', '{"type":"GeometryCollection","geometries":[]}', {}],
] as const)
  test(name, () => assert.deepEqual(read(text), { ...nothing, ...parts }));

test('what is not a geometry is refused, naming the feature', () => {
  for (const [text, sentence] of [
    ['{}', /feature 3 is not a geometry/],
    [geometry('Circle', '[]'), /feature 3 has the type "Circle"/],
    ['{"type":"Point"}', /nested/],
    [geometry('Point', '[1]'), /at least two numbers/],
    [geometry('Point', '["1",2]'), /not a number/],
    [geometry('Point', '[1e999,0]'), /not a number/],
    [geometry('Polygon', square), /at least two numbers|nested/],
    ['{"type":"GeometryCollection"}', /nested/],
  ] as const)
    assert.throws(
      () => read(text),
      (error) => error instanceof Problem && sentence.test(error.message),
    );
});
