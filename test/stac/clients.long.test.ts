import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../acceptance/support/landscape.ts';
import { sendForm, sendJson } from '../support/datasets.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { createLandscapeClient } from '../support/landscape.ts';
import { eventually } from '../support/processes.ts';
import { installPythonTools } from '../support/python-tools.ts';
import { startService } from '../support/service.ts';

const folder = installPythonTools({
  name: 'stac-clients',
  packages: ['stac-api-validator==0.6.8', 'pystac-client==0.9.1', 'rasterio==1.4.4'],
  program: 'stac-api-validator',
});
const offline = fileURLToPath(new URL('clients', import.meta.url));
const service = await closeAfterTests(startService({ env: { LOG_LEVEL: 'error' } }));
const collection = 'stac-clients';

/** Runs a program of the clients, with the schemas of STAC that pystac has. */
async function execute(
  program: string,
  args: readonly string[],
): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(join(folder, program), args, {
    env: { ...process.env, PYTHONPATH: offline },
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
  const blob = await openAsBlob(new URL(`../fixtures/${path}`, import.meta.url));
  const file = new File([blob], path.split('/').at(-1) ?? '');
  const parts = Object.entries({ category_id: category, dg_id: group, ...fields });
  const { id } = (await sendForm(service, '/datasets', [...parts, ['file', file]])).body;
  await eventually(`${path} is ready`, async () => {
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
  // The zones of the Landscape Program: the window was read, and not only opened.
  assert.ok(
    found.values.length > 0 && found.values.every((value: number) => value >= 11 && value <= 40),
    output,
  );
});
