import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { makeClients } from '../../../scripts/clients/make-clients.ts';
import { createClient } from '../../support/client.ts';
import { closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { documentLines } from '../../support/tools/paste.ts';
import { projectRoot } from '../../support/project.ts';
import { runSteppe, startService } from '../../support/service.ts';

const run = promisify(execFile);
const zones = /zone \d+: \d+ ha, \S/;

/** Lines that an example must print, on a new service and on one with filled slots. */
const said = [
  /^relief: 67, 51, 70, 53$/m,
  /^table: 24 observations of Akmola, the first 2000-\d\d-\d\d: \d+/m,
  zones,
  /^zoning: [-0-9a-f]{36}, a COG of \d+ bytes$/m,
  /^refused: 404, no such dataset$/m,
];

const service = await closeAfterTests(startService({ env: { AUTH_MODE: 'token' } }));
const folder = await temporaryFolder();
const examples = join(projectRoot, 'examples');

describe('the clients, installed as a user installs them', () => {
  let env: Readonly<Record<string, string>>;
  before(async () => {
    const description = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
    await makeClients({ description, folder });
    const options = ['--name', 'example', '--scopes', 'data:read,data:write,catalog:write,landscape:run'];
    const { stdout } = await runSteppe(['token', 'create', ...options], { dataDir: service.dataDir });
    env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', STEPPE_TOKEN: stdout.trim() };
  });

  test('that of npm runs its example, and has no dependencies', async () => {
    const place = join(folder, 'of-npm');
    const install = ['install', '--prefix', place, '--no-audit', '--no-fund', '--install-links'];
    await run('npm', [...install, join(folder, 'typescript')]);
    assert.deepEqual(
      (await readdir(join(place, 'node_modules'))).filter((name) => !name.startsWith('.')),
      ['steppe-client'],
    );
    const example = join(place, 'node_modules/steppe-client/example.mjs');
    const { stdout } = await run(process.execPath, [example, service.baseUrl, examples], { env });
    for (const line of said) assert.match(stdout, line);
  });

  test('that of npm has types that a strict compiler accepts, and that refuse a wrong field', async () => {
    const place = join(folder, 'of-npm');
    const good = `import { createSteppe, getDataset } from 'steppe-client';
export const box = (await getDataset({ client: createSteppe({ baseUrl: '' }), path: { id: '' } })).bbox;\n`;
    const tsc = async (text: string) => {
      await writeFile(join(place, 'use.ts'), text);
      const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
      const path = join(projectRoot, 'node_modules/typescript/bin/tsc');
      return await run(process.execPath, [path, ...options, 'use.ts'], { cwd: place });
    };
    await writeFile(join(place, 'package.json'), '{"type":"module"}');
    await tsc(good);
    await assert.rejects(tsc(good.replace('.bbox', '.box')), { stdout: /Property 'box' does not exist/ });
  });

  test('each has its licence, and the notice of its generator', async () => {
    for (const name of ['typescript', 'python']) {
      assert.match(await readFile(join(folder, name, 'LICENSE'), 'utf8'), /Apache License/);
      assert.match(await readFile(join(folder, name, 'NOTICE'), 'utf8'), /MIT License/i);
    }
  });

  test('that of pip runs its example', async () => {
    const place = join(folder, 'of-pip');
    await run('python3', ['-m', 'venv', place]);
    const python = join(place, 'bin/python');
    await run(python, ['-m', 'pip', 'install', '--quiet', join(folder, 'python')]);
    const example = join(folder, 'python/example.py');
    const { stdout } = await run(python, [example, service.baseUrl, examples], { env, cwd: place });
    for (const line of said) assert.match(stdout, line);
  });

  test('the lines of their README list the datasets of a service with tokens, and of one without', async () => {
    const open = await closeAfterTests(startService());
    const client = createClient(open.baseUrl);
    const file = new File([await readFile(join(examples, 'akmola-rayony.zip'))], 'lines.zip');
    await client.upload(await client.createCategory('lines'), 'vector', file);
    const [javaScript] = documentLines('clients/README.md', 'js');
    const [python] = documentLines('clients/README.md', 'python');
    const places = [
      { env, baseUrl: service.baseUrl, expected: /ready/ },
      { env: { PATH: env['PATH'], HOME: env['HOME'] }, baseUrl: open.baseUrl, expected: /lines/ },
    ];
    for (const { expected, ...place } of places) {
      const at = (lines: string) => lines.replace('http://127.0.0.1:8080', place.baseUrl);
      await writeFile(join(folder, 'of-npm/lines.mjs'), at(javaScript));
      const ofNpm = await run(process.execPath, ['lines.mjs'], {
        cwd: join(folder, 'of-npm'),
        env: place.env,
      });
      assert.match(ofNpm.stdout, expected);
      const ofPip = await run(join(folder, 'of-pip/bin/python'), ['-c', at(python)], { env: place.env });
      assert.match(ofPip.stdout, expected);
    }
  });
});
