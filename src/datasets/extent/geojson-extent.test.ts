import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createExtentMeter, type Extent } from './geojson-extent.ts';

/** Measures a text in pieces of `pieceBytes`. */
function extentOf(text: string, pieceBytes: number): Extent | undefined {
  const meter = createExtentMeter();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) meter.add(bytes.subarray(at, at + pieceBytes));
  return meter.result();
}

const collectionOf = (...features: readonly object[]) =>
  JSON.stringify({ type: 'FeatureCollection', features });
const pointAt = (x: number, y: number) => ({ type: 'Point', coordinates: [x, y] });

describe('the extent of a GeoJSON', () => {
  const texts: readonly (readonly [name: string, text: string, extent: Extent | undefined])[] = [
    [
      'is that of all positions',
      collectionOf({
        geometry: {
          type: 'LineString',
          coordinates: [
            [60.5, 40],
            [7e1, 45.25, 900],
          ],
        },
      }),
      [60.5, 40, 70, 45.25],
    ],
    [
      'spans all features',
      collectionOf({ geometry: pointAt(60, 40) }, { geometry: null }, { geometry: pointAt(61, 39) }),
      [60, 39, 61, 40],
    ],
    [
      'does not depend on properties, in front or behind',
      collectionOf(
        {
          properties: { geometry: pointAt(1, 1), rows: [[2, 2]], x: 3, '"geometry": {': 4 },
          geometry: pointAt(60, 40),
        },
        { geometry: pointAt(60, 40), properties: { coordinates: [5, 5], geometry: [6, 6] } },
      ),
      [60, 40, 60, 40],
    ],
    [
      'is found in collections of geometries',
      collectionOf({
        geometry: {
          type: 'GeometryCollection',
          geometries: [
            pointAt(1, 2),
            {
              type: 'MultiPoint',
              coordinates: [
                [3, 4],
                [-5, -6],
              ],
            },
          ],
        },
      }),
      [-5, -6, 3, 4],
    ],
    [
      'lies across 180° where that is shorter',
      collectionOf({
        geometry: {
          type: 'MultiPoint',
          coordinates: [
            [179, 1],
            [-179.5, 2],
            [170, 3],
          ],
        },
      }),
      [170, 1, -179.5, 3],
    ],
    [
      'lies across 0° where that is shorter',
      collectionOf({
        geometry: {
          type: 'MultiPoint',
          coordinates: [
            [9, 1],
            [-80, 2],
          ],
        },
      }),
      [-80, 1, 9, 2],
    ],
    ['is none without positions', collectionOf({ geometry: null, properties: { a: [1, 2] } }), undefined],
    ['is none of nothing', collectionOf(), undefined],
  ];
  for (const [name, text, extent] of texts)
    test(name, () => {
      for (const pieceBytes of [1, 7, 4096]) assert.deepEqual(extentOf(text, pieceBytes), extent);
    });
});
