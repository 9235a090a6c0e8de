import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { createClient } from '../../support/client.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { documentLines, paste } from '../../support/tools/paste.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { installPythonTools } from '../../support/tools/python-tools.ts';
import { runSteppe, startService } from '../../support/service.ts';
import { stacClients } from '../../support/tools/stac-clients.ts';

installDebianPackages(['gdal-bin']);
const python = join(installPythonTools(stacClients), 'python');
const [wmts] = documentLines('docs/maps.md', 'sh', 'GDAL');
const [features] = documentLines('docs/maps.md', 'sh', 'Features');
const [pictures] = documentLines('docs/maps.md', 'sh', 'A slide or a report');
const [catalogue] = documentLines('docs/catalogue.md', 'python');
const examples = join(projectRoot, 'examples');

for (const mode of ['off', 'token'] as const)
  test(`the lines of maps.md and catalogue.md do what they say, with AUTH_MODE=${mode}`, async () => {
    const service = await closeAfterTests(startService({ env: { AUTH_MODE: mode } }));
    const scopes = ['--name', 'lines', '--scopes', 'data:read,data:write,catalog:write'];
    const made =
      mode === 'off'
        ? undefined
        : await runSteppe(['token', 'create', ...scopes], { dataDir: service.dataDir });
    const token = made?.stdout.trim();
    const client = createClient(service.baseUrl, token);
    const category = await client.createCategory('lines');
    const fileOf = async (name: string) => new File([await readFile(join(examples, name))], name);
    const dated = { start_date: '2024-06-01' };
    const raster = await client.upload(category, 'raster', await fileOf('zhabay-dem.tif'), dated);
    const vector = await client.upload(category, 'vector', await fileOf('akmola-rayony.zip'));
    for (const id of [raster, vector])
      await eventually('ready', async () => (await client.status(id)).status === 'ready');

    const folder = await temporaryFolder();
    await cp(examples, join(folder, 'examples'), { recursive: true });
    const env = {
      HOME: folder,
      ...(token === undefined
        ? {}
        : { STEPPE_TOKEN: token, GDAL_HTTP_HEADERS: `Authorization: Bearer ${token}` }),
    };
    const lines = [pictures.replaceAll('ID', raster), features.replaceAll('ID', vector)];
    lines.push(wmts.replace('dataset-groups/ID', `datasets/${raster}`));
    const place = { shell: 'bash', folder, baseUrl: service.baseUrl, env } as const;
    const shown = await paste(lines.join('\n').replaceAll('https://steppe.example', service.baseUrl), place);
    assert.match(shown, /Feature Count: 20/);
    assert.doesNotMatch(shown, /ERROR|curl: \(/);
    for (const name of ['map.png', 'legend.png', 'zoning.png'])
      assert.equal((await readFile(join(folder, name))).toString('latin1', 1, 4), 'PNG', name);
    assert.equal((await readFile(join(folder, 'part.gpkg'))).toString('latin1', 0, 6), 'SQLite');

    const program = catalogue.replace('http://127.0.0.1:8080', service.baseUrl);
    const { stdout } = await promisify(execFile)(python, ['-c', program], {
      env: { ...env, PATH: process.env['PATH'] ?? '', GDAL_HTTP_HEADERS: '' },
    });
    assert.match(stdout, /^zhabay-dem\S* \(\d+, \d+\)$/m);
  });
