/** Tests a service with Schemathesis: requests drawn from `/openapi.json`. SCHEMATHESIS_ARGS, such as `--seed 1`, are passed on. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '../support/client.ts';
import { send, sendForm, sendJson } from '../support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
import { netcdfFile } from '../support/geo/netcdf-files.ts';
import { openBucketServer } from '../support/http/archive-server.ts';
import { append, begin } from '../support/http/tus.ts';
import { eventually } from '../support/processes.ts';
import { installPythonTools } from '../support/tools/python-tools.ts';
import { startService } from '../support/service.ts';

const version = '4.32.5';
/** Twice the duration on two busy cores. */
const maxMinutes = 40;
const args = process.env['SCHEMATHESIS_ARGS']?.split(' ') ?? [];

const tools = installPythonTools({
  name: 'schemathesis',
  packages: [`schemathesis==${version}`],
});
const bucket = await closeAfterTests(openBucketServer('archive'));
const service = await closeAfterTests(
  startService({
    env: {
      LOG_LEVEL: 'error',
      REFERENCE_BUCKETS: bucket.url,
      REFERENCE_HOSTS: 'archive.example', // of the examples; no server has this name
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  }),
);
const folder = await temporaryFolder();

test('requests drawn from the description are answered as it says', async () => {
  for (const name of ['schemathesis.toml', 'hooks.py']) {
    await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(folder, name));
  }
  await seed();
  const config = ['--config-file', join(folder, 'schemathesis.toml')];
  const run = spawn(
    join(tools, 'schemathesis'),
    [...config, 'run', `${service.baseUrl}/openapi.json`, ...args],
    { cwd: folder, stdio: 'inherit', timeout: maxMinutes * 60_000 },
  );
  const [code] = await once(run, 'exit');
  assert.equal(code, 0, 'what Schemathesis found is above');
});

test('the service is ready, and has logged no failure', async () => {
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
  assert.doesNotMatch(service.output(), /request failed|uncaught|unhandled/i);
});

/** Creates a few resources, and writes their ids into the configuration. */
async function seed(): Promise<void> {
  const made = { code: 'seed', name: 'seed' };
  const category = await sendJson(service, 'POST', '/categories', made);
  const group = await sendJson(service, 'POST', '/dataset-groups', made);
  const datasets: string[] = [];
  for (const [fileType, path] of [
    ['raster', 'raster/one_pixel_epsg4326.tif'],
    ['raster', 'raster/gdal_int16.tif'],
    ['vector', 'vector/trio.geojson'],
    ['vector_with_kato', 'kato/income_by_region_date_columns.geojson'],
  ] as const) {
    const blob = await openAsBlob(new URL(`../fixtures/${path}`, import.meta.url));
    const { status, body } = await sendForm(service, '/datasets', [
      ['file_type', fileType],
      ['category_id', category.body.id],
      ['dg_id', group.body.id],
      ['file', new File([blob], path.replace(/.*\//, ''))],
    ]);
    assert.equal(status, 201);
    datasets.push(body.id);
  }
  await sendJson(service, 'POST', '/landscape/runs', {});
  await writeFile(join(folder, 'datasets.txt'), datasets.map((id) => `"${id}"\n`).join(''));
  await writeFile(join(folder, 'groups.txt'), `"${group.body.id}"\n`);
  const form = await openAsBlob(new URL('../../examples/forms/land-balance.xlsx', import.meta.url));
  const template = await sendForm(service, `/dataset-groups/${group.body.id}/templates`, [
    ['file', new File([form], 'form.xlsx')],
  ]);
  assert.equal(template.status, 201);
  await writeFile(join(folder, 'templates.txt'), `"${template.body.id}"\n`);
  await seedSources({ category_id: category.body.id, dg_id: group.body.id });
  await seedRegisters(category.body.id);
}

/** Creates two tables by KATO whose values can be compared. */
async function seedRegisters(categoryId: string): Promise<void> {
  const client = createClient(service.baseUrl);
  const tables: string[] = [];
  for (const name of ['grain_production', 'grain_yield']) {
    const url = new URL(`../fixtures/kato/${name}_4_districts_1991_2025.geojson`, import.meta.url);
    const file = new File([await openAsBlob(url)], `${name}.geojson`);
    const id = await client.upload(categoryId, 'vector_with_kato', file);
    const becomes = async (status: string) =>
      await eventually(`a table that is ${status}`, async () => (await client.status(id)).status === status);
    await becomes('awaiting_mapping');
    const year_columns = ['2020', '2021'].map((column) => ({ column, start_date: `${column}-01-01` }));
    await client.map(id, { kato_column: 'kato', year_columns });
    await becomes('ready');
    tables.push(id);
  }
  const lines = tables.map((id) => `"${id}"\n`).join('');
  await writeFile(join(folder, 'registers.txt'), lines);
  await appendFile(join(folder, 'datasets.txt'), lines);
}

/** Creates a source file, references and an input of the Landscape Program. */
async function seedSources(place: { readonly category_id: string; readonly dg_id: string }): Promise<void> {
  const climate = new Uint8Array(netcdfFile({ time: 2, lat: 2, lon: 2 }, climateVariables));
  const path = await begin(service.baseUrl, climate.length, { filename: 'climate.nc', use: 'rasters' });
  const kept = await append(service.baseUrl + path, 0, climate);
  const source = kept.headers.get('location')?.split('/').at(-1);
  assert.ok(source, await kept.text());
  await writeFile(join(folder, 'sources.txt'), `"${source}"\n`);
  assert.equal((await send(service, `/source-files/${source}/variables?wait=60`)).status, 200);

  const read = async (name: string) => await readFile(new URL(`../fixtures/${name}`, import.meta.url));
  const addresses = [
    bucket.serve('relief.tif', { bytes: await read('raster/cog_already.tif'), etag: '"1"' }),
    bucket.serve('fields.fgb', { bytes: await read('flatgeobuf/every_kind.fgb'), etag: '"2"' }),
  ];
  await writeFile(join(folder, 'addresses.txt'), addresses.map((each) => `"${each}"\n`).join(''));
  const referred = await sendJson(service, 'POST', '/datasets/references', {
    ...place,
    address: addresses[0],
  });
  assert.equal(referred.status, 201, referred.text);
  await appendFile(join(folder, 'datasets.txt'), `"${referred.body.id}"\n`);
  const stac = { ...place, address: 'https://archive.example/collection.json', asset: 'data' };
  const importing = await sendJson(service, 'POST', '/datasets/references/stac', stac);
  assert.equal(importing.status, 201, importing.text);
  await writeFile(join(folder, 'imports.txt'), `"${importing.body.id}"\n`);
  await writeFile(join(folder, 'categories.txt'), `"${place.category_id}"\n`);

  const relief = await openAsBlob(new URL('../fixtures/landscape/golden/dem.tif', import.meta.url));
  const input = await sendForm(service, '/landscape/slots/landscape-in-dem', [
    ['file', new File([relief], 'dem.tif')],
  ]);
  assert.equal(input.status, 201, input.text);
}

const climateVariables = [
  {
    name: 'lat',
    type: 'float64',
    dimensions: ['lat'],
    attributes: { units: 'degrees_north' },
    values: [48, 49],
  },
  {
    name: 'lon',
    type: 'float64',
    dimensions: ['lon'],
    attributes: { units: 'degrees_east' },
    values: [60, 61],
  },
  {
    name: 'time',
    type: 'int32',
    dimensions: ['time'],
    attributes: { units: 'days since 2000-01-01' },
    values: [15, 45],
  },
  {
    name: 't2m',
    type: 'float32',
    dimensions: ['time', 'lat', 'lon'],
    attributes: { units: 'K' },
    values: [1, 2, 3, 4, 5, 6, 7, 8],
  },
] as const;
