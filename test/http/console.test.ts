import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { registerConsole } from '../../src/http/console.ts';
import type { App } from '../../src/http/request/schemas.ts';
import { startTestApp } from '../support/app.ts';
import { closeAfterTests, temporaryFolder } from '../support/for-tests.ts';

const dist = await temporaryFolder();
const page = '<!doctype html><title>page</title>';
await mkdir(join(dist, 'assets'));
await writeFile(join(dist, 'index.html'), page);
for (const name of ['index-AbC.js', 'worker-Xy1.js', 'sheet-worker-Xy1.js']) {
  await writeFile(join(dist, 'assets', name), 'export {};');
  await writeFile(join(dist, 'assets', `${name}.br`), brotliCompressSync('export {};'));
}

async function serve({ baseMap, folder = dist }: { baseMap?: { url: string }; folder?: string } = {}) {
  const app: App = Fastify();
  await registerConsole(app, { baseMap }, folder);
  return app;
}

function policyOf(headers: Readonly<Record<string, unknown>>): Map<string, string> {
  const directives = String(headers['content-security-policy']).split('; ');
  return new Map(directives.map((each) => [each.split(' ')[0] ?? '', each.split(' ').slice(1).join(' ')]));
}

describe('the page', () => {
  test('is revalidated each time, and may load nothing from elsewhere', async () => {
    const app = await serve();
    const { statusCode, headers, body } = await app.inject('/');
    assert.deepEqual([statusCode, body], [200, page]);
    assert.match(String(headers['content-type']), /^text\/html/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const policy = policyOf(headers);
    assert.equal(policy.get('default-src'), "'none'");
    for (const [name, sources] of policy) assert.doesNotMatch(sources, /unsafe|\*|https?:/, name);
    const again = await app.inject({ url: '/', headers: { 'if-none-match': String(headers['etag']) } });
    assert.equal(again.statusCode, 304);
  });

  test('may show the tiles of the base map that the operator has set, and of no other', async () => {
    const app = await serve({ baseMap: { url: 'https://tiles.example:8443/{z}/{x}/{y}.png' } });
    const policy = policyOf((await app.inject('/')).headers);
    assert.equal(policy.get('img-src'), "'self' data: blob: https://tiles.example:8443");
    assert.equal(policy.get('connect-src'), "'self'");
  });

  test('is the documentation while it is not built', async () => {
    const app = await serve({ folder: join(dist, 'nothing') });
    const { statusCode, headers } = await app.inject('/');
    assert.deepEqual([statusCode, headers.location], [303, '/docs']);
  });

  test('is built, served and public in the whole application', async () => {
    const app = await closeAfterTests(startTestApp());
    const response = await fetch(app.baseUrl);
    const html = await response.text();
    assert.equal(response.status, 200);
    const paths = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, path]) => path);
    assert.ok(paths.length >= 3, html);
    for (const path of paths) {
      const file = await fetch(`${app.baseUrl}/${path}`);
      assert.deepEqual([path, file.status], [path, 200]);
      await file.bytes();
    }
    const missing = await fetch(`${app.baseUrl}/assets/nothing.js`);
    assert.deepEqual([missing.status, Object.keys(Object(await missing.json()))], [404, ['error']]);
  });
});

describe('its files', () => {
  test('are kept for ever, because their names change with their content, and sent compressed', async () => {
    const app = await serve();
    const { headers, rawPayload } = await app.inject({
      url: '/assets/index-AbC.js',
      headers: { 'accept-encoding': 'br' },
    });
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(rawPayload).toString(), 'export {};');
    assert.equal(headers['content-security-policy'], undefined);
  });

  test('decode with WebAssembly in a worker and nowhere else', async () => {
    const app = await serve();
    for (const encoding of ['br', 'identity']) {
      const url = '/assets/worker-Xy1.js';
      const { headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } });
      assert.equal(policyOf(headers).get('script-src'), "'self' 'wasm-unsafe-eval'");
    }
  });

  test('read spreadsheets in a worker that reaches nothing', async () => {
    const app = await serve();
    for (const encoding of ['br', 'identity']) {
      const url = '/assets/sheet-worker-Xy1.js';
      const { headers } = await app.inject({ url, headers: { 'accept-encoding': encoding } });
      assert.equal(headers['content-security-policy'], "default-src 'none'; script-src 'self'");
    }
  });

  test('never lead out of their folder', async () => {
    const app = await serve();
    for (const path of ['/assets/../index.html', '/assets/%2e%2e/index.html', '/assets/..%2findex.html'])
      assert.notEqual((await app.inject(path)).statusCode, 200, path);
  });
});

test('a folder, or a path that leads out of one, is as missing as a file that is not there', async () => {
  const app = await closeAfterTests(startTestApp());
  const { hostname: host, port } = new URL(app.baseUrl);
  const names = ['', '.', '..', '%2e', '%2e%2e', '%2e%2e/index.html', '..%2findex.html', '/', '%2f', 'a%2fb'];
  const odd = ['x/', 'index.html/', '.vite', '%5c..%5c', '%', '%00', 'a'.repeat(300), 'a/'.repeat(200)];
  for (const prefix of ['/assets/', '/docs/static/'])
    // The folder of the documentation contains the documentation itself.
    for (const name of [...names, ...odd].filter((each) => prefix === '/assets/' || each !== ''))
      for (const method of ['GET', 'HEAD']) {
        const { promise, resolve, reject } = Promise.withResolvers<readonly [number, string]>();
        // `fetch` would normalise the path.
        request({ host, port, method, path: `${prefix}${name}` }, (response) => {
          text(response).then((body) => resolve([response.statusCode ?? 0, body]), reject);
        })
          .on('error', reject)
          .end();
        const [status, body] = await promise;
        assert.ok(status === 404 || status === 400, `${method} ${prefix}${name}: ${status} ${body}`);
        if (method === 'GET') assert.deepEqual(Object.keys(Object(JSON.parse(body))), ['error'], name);
      }
});
