import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxBytes, type OwnPolygons, readPolygons, type Wrong } from './own-polygons.ts';

const geometry = { type: 'Polygon', coordinates: [] };
const feature = (properties: unknown, id?: unknown) => ({ type: 'Feature', id, properties, geometry });
const read = async (value: unknown): Promise<OwnPolygons | Wrong> => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return await readPolygons(new File([text], 'own.geojson'));
};
const namesOf = async (value: unknown) => Object(await read(value)).names;

test('polygons go by the names that a person has given them', async () => {
  const features = [
    feature({ name: 'Поле 7', id: 3 }),
    feature({ cadastral_no: '01-234' }),
    feature({ area: 5 }, 'north'),
    feature(null, 0),
    feature({ name: ' ' }),
  ];
  assert.deepEqual(await namesOf({ type: 'FeatureCollection', features }), [
    'Поле 7',
    '01-234',
    'north',
    '0',
    undefined,
  ]);
});

test('one feature, one geometry and a collection of them are polygons as well', async () => {
  const { geojson } = Object(await read(geometry));
  assert.deepEqual(geojson.features, [{ type: 'Feature', properties: {}, geometry }]);
  assert.deepEqual(await namesOf(feature({ name: 'a' })), ['a']);
  assert.deepEqual(await namesOf({ type: 'GeometryCollection', geometries: [geometry, geometry] }), [
    undefined,
    undefined,
  ]);
});

test('a file that cannot be counted says why before it is sent', async () => {
  const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } };
  const many = Array.from({ length: 1001 }, () => feature({}));
  for (const [value, wrong] of [
    ['', { kind: 'empty' }],
    ['{"type":', { kind: 'notJson' }],
    ['[1]', { kind: 'notGeoJson' }],
    [{ type: 'FeatureCollection' }, { kind: 'notGeoJson' }],
    [{ type: 'FeatureCollection', features: [point] }, { kind: 'none' }],
    [
      { type: 'FeatureCollection', features: many },
      { kind: 'many', count: 1001 },
    ],
  ] as const)
    assert.deepEqual(await read(value), wrong);
  const large = { size: maxBytes + 1, text: async () => await Promise.reject(new Error('it was read')) };
  assert.deepEqual(await readPolygons(large), { kind: 'large' });
});
