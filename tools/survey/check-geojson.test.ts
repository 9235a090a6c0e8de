import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkGeoJson } from './check-geojson.ts';

const faultsOf = (geometry: unknown) =>
  checkGeoJson(
    JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry, properties: null }],
    }),
  );
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
] as const; // prettier keeps rings on one line
const hole = [
  [0.2, 0.2],
  [0.2, 0.4],
  [0.4, 0.4],
  [0.2, 0.2],
] as const;

test('what is right has no faults', () => {
  const point = { type: 'Point', coordinates: [180, -90] };
  const polygon = { type: 'Polygon', coordinates: [square, hole] };
  for (const geometry of [
    null,
    point,
    polygon,
    { type: 'GeometryCollection', geometries: [point, polygon] },
  ]) {
    assert.deepEqual(faultsOf(geometry), { featureCount: 1, faults: [] });
  }
  assert.deepEqual(checkGeoJson('{"type":"FeatureCollection","features":[]}'), {
    featureCount: 0,
    faults: [],
  });
});

test('each fault is named', () => {
  const expectations = [
    [{ type: 'Polygon', coordinates: [square.toReversed()] }, /outer ring that is not counter-clockwise/],
    [{ type: 'MultiPolygon', coordinates: [[square, hole.toReversed()]] }, /a hole that is not clockwise/],
    [{ type: 'Polygon', coordinates: [square.slice(0, 4)] }, /not closed/],
    [{ type: 'Polygon', coordinates: [square.slice(0, 3)] }, /fewer than four/],
    [{ type: 'Point', coordinates: [181, 0] }, /181, 0 is not longitude and latitude/],
    [
      {
        type: 'LineString',
        coordinates: [
          [0.12345678, 0],
          [1, 1],
        ],
      },
      /more than 7 decimals/,
    ],
    [{ type: 'Curve', coordinates: [] }, /does not know/],
  ] as const;
  for (const [geometry, fault] of expectations) assert.match(faultsOf(geometry).faults.join(), fault);
  assert.match(checkGeoJson('{"type":"FeatureCollection","features":[],"crs":{}}').faults.join(), /crs/);
  assert.match(checkGeoJson('{').faults.join(), /no JSON/);
});
