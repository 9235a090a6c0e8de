import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
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
const portWithoutFiles = await freePort();
const dataDir = await temporaryFolder();
const origin = 'https://maps.example';
const env = {
  PUBLIC_URL: proxy,
  NGINX_FILES_LOCATION: '/steppe-objects/',
  CORS_ALLOWED_ORIGINS: origin,
};
const service = await closeAfterTests(startService({ dataDir, env }));
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
  const [lines, forFiles = ''] = documentLines('docs/operations.md', 'nginx');
  const end = lines.lastIndexOf('}');
  const whole = `${lines.slice(0, end)}${forFiles}}`
    .replace('/var/cache/nginx/steppe', join(folder, 'kept'))
    .replace('internal;', 'internal; add_header X-Sent-By nginx;')
    .replaceAll('http://127.0.0.1:8080', service.baseUrl);
  const served = (at: number, objects: string): string =>
    whole.replace('listen 80;', `listen 127.0.0.1:${at};`).replace('/var/lib/steppe/objects', objects);
  // Another server, which finds no files.
  const other = served(portWithoutFiles, join(folder, 'nothing'));
  const site = served(port, join(dataDir, 'objects')) + other.slice(other.indexOf('server {'));
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

describe('files that nginx sends', async () => {
  const points = {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { a: 'ә' }, geometry: { type: 'Point', coordinates: [70, 50] } },
    ],
  };
  const vector = await client.upload(
    await client.createCategory('fields'),
    'vector',
    new File([JSON.stringify(points)], 'поля 1.geojson'),
  );
  await eventually('a vector', async () => (await client.status(vector)).status === 'ready');
  const { headers: known } = await fetch(`${service.baseUrl}/datasets/${id}.cog`);
  const etag = known.get('etag') ?? '';

  /** An answer without what differs between two answers, or between two servers. */
  async function answerOf(base: string, path: string, init: RequestInit) {
    const response = await fetch(base + path, init);
    const headers = new Map(response.headers);
    const isByNginx = headers.get('x-sent-by') === 'nginx';
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    for (const name of ['x-sent-by', 'server', 'date', 'connection', 'keep-alive', 'x-request-id'])
      headers.delete(name);
    // nginx says so only of whole files.
    if (response.status === 206) headers.delete('accept-ranges');
    const body = Buffer.from(await response.arrayBuffer());
    return { isByNginx, answer: { status: response.status, headers: [...headers].toSorted(), body } };
  }

  const cog = `/datasets/${id}.cog`;
  for (const [title, path, headers, method, isByNginx] of [
    ['a COG', cog, {}, 'GET', true],
    ['a range', cog, { range: 'bytes=0-65535' }, 'GET', true],
    ['the end', cog, { range: 'bytes=-100' }, 'GET', true],
    ['a range up to the end', cog, { range: 'bytes=1000-' }, 'GET', true],
    ['to a page of another origin', cog, { origin, range: 'bytes=5-9' }, 'GET', true],
    ['another version', cog, { 'if-none-match': '"other"' }, 'GET', true],
    ['the known version', cog, { 'if-none-match': etag }, 'GET', false],
    ['a range of the known version', cog, { range: 'bytes=0-9', 'if-range': etag }, 'GET', false],
    ['a range of another version', cog, { range: 'bytes=0-9', 'if-range': '"other"' }, 'GET', false],
    ['a precondition', cog, { 'if-match': '"other"' }, 'GET', false],
    ['a date', cog, { 'if-modified-since': new Date().toUTCString() }, 'GET', false],
    ['several ranges', cog, { range: 'bytes=0-1,5-6' }, 'GET', false],
    ['a range beyond the end', cog, { range: 'bytes=999999999-' }, 'GET', false],
    ['a range that is none', cog, { range: 'bytes=x' }, 'GET', false],
    ['its headers', cog, {}, 'HEAD', false],
    ['its original, with its name', `/datasets/${vector}/download`, {}, 'GET', true],
    ['GeoJSON', `/datasets/${vector}.geojson`, { 'accept-encoding': 'identity' }, 'GET', true],
    ['FlatGeobuf', `/datasets/${vector}.fgb`, { range: 'bytes=0-7' }, 'GET', true],
    ['encoded GeoJSON', `/datasets/${vector}.geojson`, { 'accept-encoding': 'gzip' }, 'GET', false],
    ['a COG that does not exist', `/datasets/${vector}.cog`, {}, 'GET', false],
  ] as const)
    test(`are those of the api, and so are their headers: ${title}`, async () => {
      const init = { method, headers };
      const direct = await answerOf(service.baseUrl, path, init);
      const sent = await answerOf(proxy, path, init);
      assert.deepEqual(sent.answer, direct.answer);
      assert.deepEqual([direct.isByNginx, sent.isByNginx], [false, isByNginx]);
      const found = await answerOf(`http://127.0.0.1:${portWithoutFiles}`, path, init);
      assert.deepEqual([found.answer, found.isByNginx], [direct.answer, false]);
    });

  test('cannot be asked for by their own address', async () => {
    const { headers } = await fetch(`${service.baseUrl}${cog}`, {
      headers: { 'x-sendfile-type': 'X-Accel-Redirect' },
    });
    const place = headers.get('x-accel-redirect') ?? '';
    assert.match(place, /^\/steppe-objects\/cog\//);
    const asked = await fetch(proxy + place);
    assert.equal(asked.status, 404);
    assert.match(await asked.text(), /"error":/);
  });
});
