import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '../../support/client.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { installNodeTool } from '../../support/tools/node-tools.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { startService } from '../../support/service.ts';

const library = installNodeTool('@camptocamp/ogc-client', '1.3.0');
const { baseUrl } = await closeAfterTests(startService());
const client = createClient(baseUrl);
const category = await client.createCategory('portal');
const settled = async (id: string, wanted: string) =>
  await eventually(wanted, async () => (await client.status(id)).status === wanted);

const points = Array.from({ length: 12 }, (_, i) => ({
  type: 'Feature',
  properties: { i, name: `№ ${i}` },
  geometry: { type: 'Point', coordinates: [60 + i / 10, 50.5, 100 + i] },
}));
const text = JSON.stringify({ type: 'FeatureCollection', features: points });
const vector = await client.upload(category, 'vector', new File([text], 'points.geojson'));
const source = await readFile(join(projectRoot, 'examples/population-by-region.geojson'), 'utf8');
const table = await client.upload(category, 'vector_with_kato', new File([source], 'population.geojson'));
const elevation = await readFile(join(projectRoot, 'examples/zhabay-dem.tif'));
const raster = await client.upload(category, 'raster', new File([elevation], 'dem.tif'));
await settled(table, 'awaiting_mapping');
await client.map(table, {
  kato_column: 'kato',
  year_columns: [{ column: '2023', start_date: '2023-12-31' }],
});
await Promise.all([vector, table, raster].map(async (id) => await settled(id, 'ready')));
await eventually('a view', async () => (await fetch(`${baseUrl}/ogc/collections/${raster}`)).ok);

test('ogc-client reads collections, features, tables and tiles', async () => {
  const program = join(import.meta.dirname, 'ogc-client-program.mjs');
  const args = [program, library, baseUrl, vector, table, raster];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: projectRoot });
  const { title, features, vectorTiles, mapTiles, pages, ...seen } = JSON.parse(stdout);
  assert.match(title, /Steppe/);
  assert.ok([vector, table].every((id) => features.includes(id)) && !features.includes(raster));
  assert.ok(vectorTiles >= 2);
  assert.deepEqual(mapTiles, [raster]);
  assert.equal(new Set(pages.flat()).size, 10, 'two pages of five');
  assert.deepEqual(seen.inBox.toSorted(), [0, 1, 2, 3, 4]);
  assert.deepEqual(
    { ...seen, inBox: undefined },
    {
      hasFeatures: true,
      hasTiles: true,
      described: true,
      inBox: undefined,
      one: seen.one,
      dated: 20,
      byAddress: 3,
      tilesets: [200, 200],
      tile: [200, 'image/png'],
    },
  );
  assert.match(seen.one.name, /^№ \d$/);
});
