import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { installDebianPackages } from '../../../scripts/debian-packages.ts';
import { createClient } from '../../support/client.ts';
import { afterTests, closeAfterTests, temporaryFolder } from '../../support/for-tests.ts';
import { documentLines } from '../../support/tools/paste.ts';
import { freePort } from '../../support/ports.ts';
import { eventually } from '../../support/processes.ts';
import { projectRoot } from '../../support/project.ts';
import { startService } from '../../support/service.ts';

const folder = await temporaryFolder();
const port = await freePort();
const proxy = `http://127.0.0.1:${port}`;
const service = await closeAfterTests(startService({ env: { PUBLIC_URL: proxy } }));
const client = createClient(service.baseUrl);
const group = await client.json<{ id: string }>('/dataset-groups', {
  method: 'POST',
  body: JSON.stringify({ code: 'dem', name: 'Elevation' }),
});
const file = new File([await readFile(join(projectRoot, 'examples/zhabay-dem.tif'))], 'dem.tif');
const id = await client.upload(await client.createCategory('dem'), 'raster', file);
const joined = { method: 'PATCH', body: JSON.stringify({ dg_id: group.body.id }) };
assert.equal((await client.json(`/datasets/${id}`, joined)).status, 200);
await eventually('a raster', async () => (await client.status(id)).status === 'ready');

/** Lines of docs/operations.md with the addresses of this test, in a configuration that writes only to its folder. */
function configuration(): string {
  const [lines] = documentLines('docs/operations.md', 'nginx');
  const site = lines
    .replace('/var/cache/nginx/steppe', join(folder, 'kept'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll('http://127.0.0.1:8080', service.baseUrl);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} pid ${join(folder, 'pid')}; events {} http { access_log off; ${temporary.join(' ')} ${site} }`;
}

before(async () => {
  installDebianPackages(['nginx']);
  await mkdir(join(folder, 'kept'));
  const path = join(folder, 'nginx.conf');
  await writeFile(path, configuration());
  const args = ['-c', path, '-e', join(folder, 'error.log'), '-g', 'daemon off;'];
  const nginx = spawn('nginx', args, { stdio: 'inherit', env: { PATH: `${process.env['PATH']}:/usr/sbin` } });
  afterTests(async () => {
    nginx.kill();
    await once(nginx, 'exit');
  });
  await eventually(
    'nginx',
    async () =>
      await fetch(`${proxy}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
  );
});

test('nginx keeps the tiles that TileJSON names, which the service draws once', async () => {
  const answer = await fetch(`${proxy}/datasets/${id}/tilejson.json`);
  const described: { readonly tiles: readonly string[] } = JSON.parse(await answer.text());
  const [template = ''] = described.tiles;
  const tile = template.replace('{z}/{x}/{y}', '7/88/42');
  assert.ok(tile.startsWith(`${proxy}/datasets/${id}/tiles/7/88/42.png?v=`), tile);
  const drawn = await fetch(tile);
  const bytes = Buffer.from(await drawn.arrayBuffer());
  assert.equal(drawn.headers.get('x-cache-status'), 'MISS');
  const kept = await fetch(tile);
  assert.equal(kept.headers.get('x-cache-status'), 'HIT');
  assert.deepEqual(Buffer.from(await kept.arrayBuffer()), bytes);
  assert.equal(kept.headers.get('cache-control'), 'public, max-age=31536000, immutable');

  const other = await fetch(tile.replace(/v=.*/, 'v=old'));
  assert.equal(other.headers.get('x-cache-status'), 'MISS');
  assert.equal(other.headers.get('cache-control'), 'no-cache');
  const again = await fetch(tile.replace(/v=.*/, 'v=old'));
  assert.equal(again.headers.get('x-cache-status'), 'MISS');
});

test('tiles of a group pass through it, with their conditions', async () => {
  const tile = `${proxy}/dataset-groups/${group.body.id}/tiles/7/88/42.png`;
  const drawn = await fetch(tile);
  assert.equal(drawn.status, 200);
  assert.equal(drawn.headers.get('x-cache-status'), null);
  const condition = { 'if-none-match': drawn.headers.get('etag') ?? '' };
  assert.equal((await fetch(tile, { headers: condition })).status, 304);
  assert.equal(drawn.headers.get('content-location'), `${proxy}/datasets/${id}/tiles/7/88/42.png`);
});
