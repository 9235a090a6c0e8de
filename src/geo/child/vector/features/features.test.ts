import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openVectorEngineHere } from '../../../../../test/support/geo/engine-here.ts';
import { fixture } from '../../../../../test/support/geo/engine.ts';
import { closeAfterTests } from '../../../../../test/support/for-tests.ts';

const engine = await closeAfterTests(openVectorEngineHere());

async function rowsOf(path: string): Promise<{ columns: readonly string[]; rows: string[] }> {
  const { columns, rowsPath, rowCount } = await engine.run((geo, task) => geo.readFeatures(task), path);
  const rows = (await readFile(rowsPath, 'utf8')).trimEnd().split('\n');
  assert.equal(rows.length, rowCount);
  return { columns, rows };
}

test('each row is the geometry of a feature and its properties, digit by digit', async () => {
  const path = join(engine.folder, 'units.geojson');
  const ring = '[[60,50],[60,51],[61,51],[61,50],[60,50]]';
  await writeFile(
    path,
    `{"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"code":110000000.0,"name":"А\\u2028Б"},"geometry":{"type":"Polygon","coordinates":[${ring}]}},
      {"type":"Feature","properties":{"more":[1,
        2],"code":"7"},"geometry":null},
      {"type":"Feature","properties":null,"geometry":{"type":"Point","coordinates":[1.123456789,2,3]}}]}`,
  );
  const { columns, rows } = await rowsOf(path);
  assert.deepEqual(columns, ['code', 'name', 'more']);
  const turned = '[[60,50],[61,50],[61,51],[60,51],[60,50]]';
  const [area = '', ...others] = rows;
  assert.match(area, /^\[\{"type":"Polygon","coordinates":\[\[.*\]\]\},110000000\.0,"А\\u2028Б"\]$/);
  const [{ coordinates }]: [{ coordinates: number[][][] }] = JSON.parse(area);
  assert.deepEqual(coordinates[0]?.toSorted(), JSON.parse(turned).toSorted());
  assert.ok(signedArea(coordinates[0] ?? []) > 0, 'the outer ring is counter-clockwise');
  assert.deepEqual(
    others.map((row) => JSON.parse(row)),
    [[null, '7', null, [1, 2]], [{ type: 'Point', coordinates: [1.1234568, 2] }]],
  );
});

test('a geometry that crosses itself is repaired, one of another reference system moved', async () => {
  const bowTie = await rowsOf(fixture('vector/self_intersection_large.geojson'));
  assert.match(bowTie.rows[0] ?? '', /^\[\{"type":"(Multi)?Polygon"/);
  const path = join(engine.folder, 'mercator.geojson');
  await writeFile(
    path,
    `{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"features":[
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[7792364.355529152,6446275.841017161]}}]}`,
  );
  const { rows } = await rowsOf(path);
  assert.deepEqual(rows, ['[{"type":"Point","coordinates":[70,50]}]']);
});

test('what is not GeoJSON is refused with a sentence', async () => {
  const path = join(engine.folder, 'no.geojson');
  await writeFile(path, '{"type":"Topology"}');
  await assert.rejects(rowsOf(path), {
    name: 'UnprocessableFile',
    message: /is not GeoJSON: it is TopoJSON/,
  });
});

function signedArea(ring: readonly (readonly number[])[]): number {
  let twice = 0;
  for (const [index, [x = 0, y = 0]] of ring.entries()) {
    const [nextX = x, nextY = y] = ring[(index + 1) % ring.length] ?? [];
    twice += x * nextY - nextX * y;
  }
  return twice / 2;
}
