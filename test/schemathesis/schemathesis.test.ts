/** Tests a service with Schemathesis: requests drawn from `/openapi.json`. SCHEMATHESIS_ARGS, such as `--seed 1`, are passed on. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sendForm, sendJson } from '../support/datasets.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';
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
const service = await closeAfterTests(startService({ env: { LOG_LEVEL: 'error' } }));
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
}
