import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, sendForm } from '../support/datasets.ts';
import { exchange, openSocket, request } from '../support/raw-http.ts';

const content = Buffer.concat([Buffer.from('II*\0'), randomBytes(40 * MiB)]);
const size = content.length;

let app: TestApp;
let path = '';
before(async () => {
  app = await startTestApp();
  const category_id = await insertCategory(app.services.db);
  const { status, body } = await sendForm(app, '/datasets', [
    ['file_type', 'raster'],
    ['category_id', category_id],
    ['file', new File([content], 'x.tif')],
  ]);
  assert.equal(status, 201);
  path = `/datasets/${body.id}/download`;
});
after(async () => await app.close());

async function get(headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(app.baseUrl + path, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  return { status: response.status, bytes, header: (name: string) => response.headers.get(name) };
}

async function etag(): Promise<string> {
  return (await get({}, 'HEAD')).header('etag') ?? '';
}

describe('a file', () => {
  test('is sent whole, with its length and a strong ETag', async () => {
    const { status, bytes, header } = await get();
    assert.equal(status, 200);
    assert.ok(bytes.equals(content));
    assert.equal(header('content-length'), String(size));
    assert.equal(header('accept-ranges'), 'bytes');
    assert.match(header('etag') ?? '', /^"[0-9a-f]{32}"$/);
    assert.equal(header('content-encoding'), null);
  });

  test('has the same headers and no body with HEAD', async () => {
    const { status, bytes, header } = await get({ range: 'bytes=0-1' }, 'HEAD');
    assert.deepEqual([status, bytes.length, header('content-length')], [200, 0, String(size)]);
    assert.equal(header('content-type'), 'application/octet-stream');
  });

  test('is 304 without a body when the client has it', async () => {
    const { status, bytes, header } = await get({ 'if-none-match': `"other", ${await etag()}` });
    assert.deepEqual([status, bytes.length, header('etag')], [304, 0, await etag()]);
    assert.equal((await get({ 'if-none-match': '"other"' }, 'HEAD')).status, 200);
  });

  test('is sent in part for a single range', async () => {
    for (const [range, start, end] of [
      ['bytes=0-3', 0, 3],
      [`bytes=${size - 5}-`, size - 5, size - 1],
      ['bytes=-7', size - 7, size - 1],
      [`bytes=100-${size + 100}`, 100, size - 1],
    ] as const) {
      const { status, bytes, header } = await get({ range });
      assert.equal(status, 206);
      assert.equal(header('content-range'), `bytes ${start}-${end}/${size}`);
      assert.equal(header('content-length'), String(end - start + 1));
      assert.ok(bytes.equals(content.subarray(start, end + 1)));
    }
  });

  test('is 412 when it is not the one that If-Match names, whatever else is asked', async () => {
    for (const method of ['GET', 'HEAD']) {
      const asked = { 'if-match': '"other"', range: 'bytes=0-1', 'if-none-match': await etag() };
      const { status, bytes, header } = await get(asked, method);
      assert.deepEqual([status, header('etag')], [412, await etag()]);
      assert.equal(bytes.length > 0 && 'error' in JSON.parse(bytes.toString()), method === 'GET');
    }
    assert.equal((await get({ 'if-match': await etag(), range: 'bytes=0-1' })).status, 206);
    assert.equal((await get({ 'if-match': '*' })).status, 200);
  });

  test('is 416 with its size for a range outside of it', async () => {
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const { status, bytes, header } = await get({ range });
      assert.deepEqual([status, header('content-range')], [416, `bytes */${size}`]);
      assert.ok('error' in JSON.parse(bytes.toString()));
    }
  });

  test('is sent whole for several ranges, a malformed one, or one that If-Range makes void', async () => {
    for (const headers of [
      { range: 'bytes=0-1,3-4' },
      { range: 'bytes=5-2' },
      { range: 'lines=0-1' },
      { range: 'bytes=0-1', 'if-range': '"other"' },
    ]) {
      const { status, bytes } = await get(headers);
      assert.deepEqual([status, bytes.length], [200, size]);
    }
    assert.equal((await get({ range: 'bytes=0-1', 'if-range': await etag() })).status, 206);
  });

  test('is 404 in JSON, without a header of the file, when its bytes are gone', async () => {
    const { storage_key: key } = await app.services.db
      .selectFrom('datasets')
      .select('storage_key')
      .executeTakeFirstOrThrow();
    const category_id = await insertCategory(app.services.db);
    const { body } = await sendForm(app, '/datasets', [
      ['file_type', 'raster'],
      ['category_id', category_id],
      ['file', new File(['II*\0 other'], 'y.tif')],
    ]);
    assert.notEqual(body.storage_key, key);
    await app.services.objectStore.remove(body.storage_key);
    const response = await fetch(`${app.baseUrl}/datasets/${body.id}/download`, {
      headers: { range: 'bytes=0-1' },
    });
    assert.equal(response.status, 404);
    assert.deepEqual([response.headers.get('etag'), response.headers.get('content-range')], [null, null]);
    assert.ok('error' in JSON.parse(await response.text()));
  });
});

test('clients that go away free the files that they read', async () => {
  for (let round = 0; round < 30; round += 1) {
    const socket = await openSocket(app.port);
    socket.write(request('GET', path, {}));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
  }
  let open: string[] = [];
  for (let tries = 0; tries < 100; tries += 1) {
    open = await openObjects();
    if (open.length === 0) break;
    await delay(50);
  }
  assert.deepEqual(open, []);
});

test('a range of an unknown file is 404', async () => {
  const headers = { range: 'bytes=0-1', connection: 'close' };
  const answer = await exchange(app.port, request('GET', `/datasets/${randomUUID()}/download`, headers));
  assert.match(answer, /^HTTP\/1\.1 404 /);
});

/** The stored objects that this process has open. */
async function openObjects(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    descriptors.map(async (fd) => await readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return paths.filter((target) => target.includes('/objects/'));
}
