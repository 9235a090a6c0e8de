import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { createClient } from '../../support/client.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { eventually } from '../../support/processes.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { startService } from '../../support/service.ts';
import { runGdal } from './gdal-tools.ts';

installDebianPackages(['gdal-bin', 'python3-qgis', 'qgis-providers']);
const python = installPythonTools({
  name: 'ogctests',
  packages: ['ogctests==0.1.15', 'OWSLib==0.35.0'],
});

const { baseUrl } = await closeAfterTests(startService());
const folder = await temporaryFolder();
const client = createClient(baseUrl);
const features = Array.from({ length: 4000 }, (_, i) => ({
  type: 'Feature',
  properties: { i, name: `№ ${i}` },
  geometry: { type: 'Point', coordinates: [60 + (i % 80) / 8, 40 + Math.floor(i / 80) / 8] },
}));
const id = await client.upload(
  await client.createCategory('features'),
  'vector',
  new File([JSON.stringify({ type: 'FeatureCollection', features })], 'points.geojson'),
);
await eventually('ready', async () => (await client.status(id)).status === 'ready');
const box = ['64.9', '44.9', '65.3', '45.2'] as const;
/** Features in the box. */
const expected = features
  .filter(
    ({
      geometry: {
        coordinates: [x = 0, y = 0],
      },
    }) => x >= 64.9 && x <= 65.3 && y >= 44.9 && y <= 45.2,
  )
  .map(({ properties: { i } }) => i);
assert.ok(expected.length > 5);

/** Returns the features that GDAL finds in the box, with any of its drivers. */
function foundByGdal(source: string, layer: string): number[] {
  const said = runGdal(folder, ['ogrinfo', '-ro', '-q', '-spat', ...box, source, layer]);
  return [...said.matchAll(/^ {2}i \(Integer\) = (\d+)$/gm)]
    .map(([, i]) => Number(i))
    .toSorted((a, b) => a - b);
}

test('GDAL reads a box of a FlatGeobuf by its address', () => {
  assert.deepEqual(foundByGdal(`/vsicurl/${baseUrl}/datasets/${id}.fgb`, 'features'), expected);
});

test('GDAL reads a box, and all features, by OGC API - Features', () => {
  assert.deepEqual(foundByGdal(`OAPIF:${baseUrl}/ogc`, id), expected);
  const said = runGdal(folder, ['ogrinfo', '-ro', '-so', `OAPIF:${baseUrl}/ogc`, id]);
  assert.match(said, /Feature Count: 4000/);
});

test('GDAL finds the values of a table by KATO by their dates, whatever is the latest', async () => {
  const rows = [
    { kato: '110000000', 2020: 1, 2021: 2 },
    { kato: '150000000', 2020: 3, 2021: 4 },
  ].map((properties) => ({ type: 'Feature', properties, geometry: null }));
  const table = await client.upload(
    await client.createCategory('tables'),
    'vector_with_kato',
    new File([JSON.stringify({ type: 'FeatureCollection', features: rows })], 'values.geojson'),
  );
  await eventually('a table', async () => (await client.status(table)).status === 'awaiting_mapping');
  const yearColumns = ['2020', '2021'].map((column) => ({
    column,
    start_date: `${column}-01-01`,
    end_date: `${column}-12-31`,
  }));
  await client.map(table, { kato_column: 'kato', year_columns: yearColumns });
  await eventually('values', async () => (await client.status(table)).status === 'ready');
  const valuesBy = (where: string) => {
    const said = runGdal(folder, ['ogrinfo', '-ro', '-q', '-where', where, `OAPIF:${baseUrl}/ogc`, table]);
    return [...said.matchAll(/^ {2}value \(\w+\) = (\d+)$/gm)]
      .map(([, value]) => Number(value))
      .toSorted((a, b) => a - b);
  };
  assert.deepEqual(valuesBy("date = '2020-01-01'"), [1, 3]);
  assert.deepEqual(valuesBy("date >= '2021-01-01'"), [2, 4]);
});

test('ogctests finds no fault', () => {
  const args = ['-m', 'ogctests', 'features/core', '--verbose', 'true', '-i', `${baseUrl}/ogc`];
  // Otherwise pytest looks for fixtures only below `features/core`.
  const env = { PYTEST_ADDOPTS: `--rootdir=${join(python, '..')} -p no:cacheprovider` };
  const { stdout } = spawnSync(join(python, 'python'), args, { cwd: folder, env, encoding: 'utf8' });
  assert.match(stdout, /^=+ 29 passed/m, stdout);
});

test('OWSLib reads collections, queryables and features', () => {
  const program = `
from owslib.ogcapi.features import Features
api = Features('${baseUrl}/ogc')
assert 'districts' in api.feature_collections()
assert set(api.collection_queryables('${id}')['properties']) == {'i', 'name'}
print(len(api.collection_items('${id}', limit=5000, bbox=[${box.join(',')}])['features']))`;
  const said = execFileSync(join(python, 'python'), ['-c', program], { cwd: folder, encoding: 'utf8' });
  assert.equal(Number(said), expected.length);
});

test('QGIS shows all features, and those of a FlatGeobuf', () => {
  const program = `
import os
from qgis.core import QgsApplication, QgsVectorLayer
application = QgsApplication([], False)
application.initQgis()
layer = QgsVectorLayer("typename='${id}' url='${baseUrl}/ogc' pagingEnabled='true'", 'points', 'OAPIF')
file = QgsVectorLayer('/vsicurl/${baseUrl}/datasets/${id}.fgb', 'file', 'ogr')
print(layer.isValid(), sum(1 for _ in layer.getFeatures()), file.isValid(), sum(1 for _ in file.getFeatures()), flush=True)
os._exit(0)`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    QT_QPA_PLATFORM: 'offscreen',
  };
  const said = execFileSync('/usr/bin/python3', ['-c', program], { cwd: folder, env, encoding: 'utf8' });
  assert.match(said, /^True 4000 True 4000$/m);
});
