import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import gdal from 'gdal-async';
import { nodeOf } from '../../acceptance/support/landscape.ts';
import { sendForm, sendJson } from '../../support/datasets.ts';
import { closeAfterTests } from '../../support/for-tests.ts';
import { createLandscapeClient } from '../../support/landscape/landscape.ts';
import { eventually } from '../../support/processes.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { makeMemoryFolder } from '../../support/memory-folder.ts';
import { startService } from '../../support/service.ts';
import { stacClients } from '../../support/tools/stac-clients.ts';

const folder = installPythonTools(stacClients);
const cubeFolder = installPythonTools({
  name: 'stac-cubes',
  packages: [
    'pystac-client==0.9.1',
    'odc-stac==0.5.3',
    'stackstac==0.5.1',
    'stac-geoparquet==0.8.3',
    'openapi-spec-validator==0.9.0',
  ],
});
const offline = fileURLToPath(new URL('programs', import.meta.url));
const service = await closeAfterTests(startService({ env: { LOG_LEVEL: 'error' } }));
const collection = 'stac-clients';

/** Runs a program of the clients, with pystac's schemas of STAC. */
async function execute(
  program: string,
  args: readonly string[],
  environment = { folder, PYTHONPATH: offline },
): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(join(environment.folder, program), args, {
    env: { ...process.env, PYTHONPATH: environment.PYTHONPATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  });
  const ended = once(child, 'exit');
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, output: out + errors };
}

const made = { code: collection, name: 'For clients' };
const category = (await sendJson(service, 'POST', '/categories', made)).body.id;
const group = (await sendJson(service, 'POST', '/dataset-groups', made)).body.id;

/** Uploads a fixture and waits until it is ready. */
async function upload(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const blob = await openAsBlob(new URL(`../../fixtures/${path}`, import.meta.url));
  return await send(new File([blob], path.split('/').at(-1) ?? ''), fields);
}

async function send(file: File, fields: Readonly<Record<string, string>>): Promise<string> {
  const parts = Object.entries({ category_id: category, dg_id: group, ...fields }).filter(
    ([, value]) => value !== '',
  );
  const { id } = (await sendForm(service, '/datasets', [...parts, ['file', file]])).body;
  await eventually(`${file.name} is ready`, async () => {
    const { body } = await sendJson(service, 'GET', `/datasets/${id}/status`, undefined);
    return body['status'] === 'ready' ? true : undefined;
  });
  return id;
}

const days = { start_date: '2024-01-01', end_date: '2024-12-31' };
await upload('raster/one_pixel_epsg4326.tif', { file_type: 'raster', name: 'A raster for clients', ...days });
for (let number = 0; number < 12; number += 1)
  await upload('vector/trio.geojson', {
    file_type: 'vector',
    name: `Vector ${number}`,
    ...(number % 2 === 0 ? days : {}),
  });

const earth = {
  type: 'Polygon',
  coordinates: [
    [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ],
  ],
};

test('stac-api-validator finds no errors in core, collections, features, search, sort, fields and filter', async () => {
  const classes = [
    'core',
    'collections',
    'features',
    'item-search',
    'item-search#sort',
    'item-search#fields',
    'filter',
  ];
  const { output } = await execute('stac-api-validator', [
    ...classes.flatMap((each) => ['--conformance', each]),
    '--root-url',
    `${service.baseUrl}/stac`,
    '--collection',
    collection,
    '--fields-nested-property',
    'properties.title',
    '--geometry',
    JSON.stringify(earth),
  ]);
  const [, errors] = /^Errors:(.*)$/ms.exec(output) ?? assert.fail(output);
  assert.deepEqual(
    (errors ?? '').split('\n').filter((line) => line.startsWith('- ')),
    [],
  );
});

test('pystac-client finds the zoning of a run by box and date, and rasterio opens its COG by ranges', async () => {
  const landscape = createLandscapeClient(service.baseUrl);
  await landscape.fillAll();
  const run = await landscape.run();
  const zoning = nodeOf(run, '34').outputs?.[0]?.dataset_id ?? assert.fail();
  const item: { bbox: readonly number[]; properties: Readonly<Record<string, string>> } = JSON.parse(
    await (
      await fetch(`${service.baseUrl}/stac/collections/landscape-34-functional-zoning/items/${zoning}`)
    ).text(),
  );
  const day = item.properties['created']?.slice(0, 10);
  const { code, output } = await execute('python', [
    join(offline, 'find_and_open.py'),
    `${service.baseUrl}/stac`,
    item.bbox.join(),
    `${day}T00:00:00Z/${day}T23:59:59Z`,
    item.properties['title'] ?? '',
  ]);
  assert.equal(code, 0, output);
  const found = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  assert.deepEqual(
    [found.ids, found.shape, found.crs, found.run],
    [[zoning], found.said, found.code, run.id],
  );
  // The zones of the Landscape Program: the window was read, not only opened.
  assert.ok(
    found.values.length > 0 && found.values.every((value: number) => value >= 11 && value <= 40),
    output,
  );
});

test('odc-stac and stackstac load the rasters of a collection, by what pystac-client finds, and stac-geoparquet its items', async (t) => {
  const scratch = await makeMemoryFolder('steppe-cubes-');
  t.after(async () => await rm(scratch, { recursive: true }));
  const code = 'ndvi';
  const { id: dg_id } = (await sendJson(service, 'POST', '/dataset-groups', { code, name: 'NDVI' })).body;
  for (const [place, year] of ['2021', '2022', '2023'].entries()) {
    const bands = gdal.open(`ndvi-${year}`, 'w', 'MEM', 20, 20, 1, 'Int16');
    bands.srs = gdal.SpatialReference.fromEPSG(32642);
    bands.geoTransform = [500_010, 30, 0, 5_600_010, 0, -30];
    bands.bands.get(1).pixels.write(0, 0, 20, 20, new Int16Array(400).fill(100 + place));
    const path = join(scratch, `ndvi-${year}.tif`);
    gdal.translate(path, bands, ['-of', 'GTiff']).close();
    await send(new File([await openAsBlob(path)], `ndvi-${year}.tif`), {
      file_type: 'raster',
      name: `NDVI ${year}`,
      dg_id,
      start_date: `${year}-01-01`,
      end_date: `${year}-12-31`,
    });
  }
  await upload('raster/no_georef.tif', { file_type: 'raster', name: 'Nowhere', dg_id: '' });
  const program = join(offline, 'load_cubes.py');
  const environment = { folder: cubeFolder, PYTHONPATH: '' };
  const { code: ended, output } = await execute(
    'python',
    [program, `${service.baseUrl}/stac`, code, `category.${collection}`],
    environment,
  );
  assert.equal(ended, 0, output);
  const found = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  assert.deepEqual(found, {
    items: 3,
    matched: 3,
    queried: ['NDVI 2022'],
    odc: ['data', [3, 20, 20], [100, 101, 102]],
    stackstac: [
      [3, 1, 20, 20],
      [100, 101, 102],
    ],
    parquet: 3,
  });
});

test('openapi-spec-validator finds no errors in any description', async () => {
  const documents = ['/openapi.json', '/stac/api', '/ogc/api'].map((path) => `${service.baseUrl}${path}`);
  const environment = { folder: cubeFolder, PYTHONPATH: '' };
  const program = join(offline, 'check_descriptions.py');
  const { code, output } = await execute('python', [program, ...documents], environment);
  assert.deepEqual([code, output], [0, '']);
});
