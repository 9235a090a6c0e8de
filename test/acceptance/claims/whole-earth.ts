import assert from 'node:assert/strict';
import { claim } from '../claim.ts';
import { process } from '../support/datasets.ts';
import { box, collection, featureFile, geojsonFile, point } from '../support/files.ts';
import { readReport, readVector } from '../support/geojson.ts';

const named = (name: string) => ({ crs: { type: 'name', properties: { name } } });
const millimetre = box(70, 50, 70.000_000_01, 50.000_000_01);

claim(
  ['D7 vanished geometry'],
  'geometry that vanishes is told of, with its number and the first feature',
  async (client) => {
    const features = [point(70, 50), millimetre, millimetre].map((geometry) => ({
      properties: {},
      geometry,
    }));
    const { id } = await process(client, 'ready', geojsonFile(collection(features)));
    const { warnings } = await readReport(client, id);
    const lost = warnings.find(({ code }) => code === 'geometry_lost');
    assert.match(lost?.message ?? '', /^2 lines or polygons .* the first is in feature 2\.$/);
  },
);

claim(['D7 vanished geometry'], 'a file of which no geometry is left fails', async (client) => {
  const { parse_error } = await process(client, 'failed', featureFile(millimetre));
  assert.match(parse_error ?? '', /^Nothing of the geometry is left/);
});

claim(['D7 pole'], 'a polygon around the pole is closed along it', async (client) => {
  const around = featureFile(box(-500_000, -500_000, 500_000, 500_000), {}, named('EPSG:3995'));
  const [feature] = (await readVector(client, around)).collection.features;
  const positions = JSON.stringify(feature?.geometry);
  for (const corner of ['[-180,90]', '[180,90]']) assert.ok(positions.includes(corner), positions);
});

claim(['D7 pole'], 'a polygon across 180° is cut there', async (client) => {
  const across = featureFile(box(170, 10, 190, 20), {}, named('urn:ogc:def:crs:OGC:1.3:CRS84'));
  const [feature] = (await readVector(client, across)).collection.features;
  const { type, coordinates } = Object(feature?.geometry);
  assert.equal(type, 'MultiPolygon');
  const sides = coordinates.map((polygon: number[][][]) => polygon.flat().map(([longitude]) => longitude));
  const ranges = sides.map((side: number[]) => [Math.min(...side), Math.max(...side)]);
  assert.deepEqual(
    ranges.toSorted(([one]: number[], [other]: number[]) => (one ?? 0) - (other ?? 0)),
    [
      [-180, -170],
      [170, 180],
    ],
  );
});
