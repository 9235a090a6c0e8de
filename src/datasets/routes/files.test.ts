import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { MiB } from '../../lib/units.ts';
import { startTestApp } from '../../../test/support/app.ts';
import {
  geoJsonForms,
  getRaw,
  insertCategory,
  sendForm,
  setState,
  upload,
} from '../../../test/support/datasets.ts';
import { eventually } from '../../../test/support/processes.ts';
import { fetchRaw, openSocket, request } from '../../../test/support/http/raw-http.ts';
import { closeAfterTests } from '../../../test/support/for-tests.ts';

const collectionOf = (randomByteCount: number) =>
  `{"features":["${randomBytes(randomByteCount).toString('hex')}"]}`;
const collection = collectionOf(1000);
const style = '<StyledLayerDescriptor version="1.0.0"/>';

/** Content of the file by the end of its path. */
const contents = {
  '.cog': 'II*\0, as far as HTTP is concerned',
  '.geojson': collection,
  '/download': 'II*\0, as it was sent',
  '/sld': style,
} as const;
type File = keyof typeof contents;
const files = ['.cog', '.geojson', '/download', '/sld'] as const;

const paths = new Map<File, string>();
const app = await closeAfterTests(startTestApp());
const category_id = await insertCategory(app.services.db);
const { body } = await sendForm(app, '/datasets', [
  ...Object.entries({ file_type: 'raster', category_id }),
  ['file', new File([contents['/download']], 'x.tif')],
]);
await setState(app.services, body.id, { status: 'ready' }, { cog: contents['.cog'] });
const { id: vector } = await upload(app, { category_id, file_type: 'vector' });
const forms = geoJsonForms(collection);
await setState(app.services, vector, { status: 'ready' }, forms);
const styled = await sendForm(app, `/datasets/${body.id}/sld`, [['file', new File([style], 's.sld')]]);
assert.equal(styled.status, 200);
for (const file of files) paths.set(file, `/datasets/${file === '.geojson' ? vector : body.id}${file}`);

/** The answer without the headers that always differ. */
async function ask(file: File, asked: Readonly<Record<string, string>> = {}, method = 'GET') {
  const answer = await fetchRaw(app.baseUrl + paths.get(file), { method, headers: asked });
  const { date: _, 'x-request-id': __, ...headers } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, bytes: answer.bytes, text: answer.bytes.toString() };
}

for (const file of files) {
  describe(file, () => {
    test('is 304 for a client that has it, with the headers that a cache updates and no length', async () => {
      const { etag = '', vary } = (await ask(file)).headers;
      const kept = { etag, 'cache-control': 'no-cache', 'accept-ranges': 'bytes', connection: 'close' };
      const expected = {
        'x-content-type-options': 'nosniff',
        ...kept,
        ...(vary === undefined ? {} : { vary }),
      };
      const answer = await ask(file, { 'if-none-match': etag, range: 'bytes=0-1' });
      assert.deepEqual([answer.status, answer.headers, answer.text], [304, expected, '']);
    });

    test('is 412 when it is not the one that If-Match names, whatever else is asked', async () => {
      const { etag = '' } = (await ask(file)).headers;
      for (const method of ['GET', 'HEAD']) {
        const asked = { 'if-match': '"other"', range: 'bytes=0-1', 'if-none-match': etag };
        const { status, headers, text } = await ask(file, asked, method);
        assert.deepEqual([status, headers['etag']], [412, etag]);
        assert.equal(text !== '' && 'error' in JSON.parse(text), method === 'GET');
      }
      assert.equal((await ask(file, { 'if-match': etag, range: 'bytes=0-1' })).status, 206);
      assert.equal((await ask(file, { 'if-match': '*' })).status, 200);
    });
  });
}

describe('.geojson, encoded', () => {
  const encodings = {
    gzip: [forms['geojson gzip'], gunzipSync],
    br: [forms['geojson br'], brotliDecompressSync],
  } as const;
  for (const [encoding, [stored, decode]] of Object.entries(encodings)) {
    test(`is the object as it was stored in ${encoding}, with its length and an ETag of its own`, async () => {
      const plain = await ask('.geojson');
      const { headers, bytes } = await ask('.geojson', { 'accept-encoding': encoding });
      assert.ok(bytes.equals(stored));
      assert.ok(decode(bytes).equals(plain.bytes));
      assert.equal(headers['content-length'], String(stored.length));
      assert.equal(headers['transfer-encoding'], undefined);
      assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'Accept-Encoding']);
      assert.notEqual(headers['etag'], plain.headers['etag']);
    });
  }

  test('is sent as it is where it was written before there were encoded forms', async () => {
    const { id } = await upload(app, { category_id, file_type: 'vector' });
    await setState(app.services, id, { status: 'ready' }, { geojson: '{"features":[]}' });
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, bytes } = await fetchRaw(`${app.baseUrl}/datasets/${id}.geojson`, {
        method,
        headers: { 'accept-encoding': 'gzip, br' },
      });
      assert.deepEqual([status, bytes.toString()], [200, method === 'GET' ? '{"features":[]}' : '']);
      assert.deepEqual([headers.get('content-encoding'), headers.get('vary')], [null, 'Accept-Encoding']);
      assert.equal(headers.get('content-length'), '15');
    }
  });
});

test('an encoded .geojson cannot be had in part: who holds some of it begins again', async () => {
  const plain = (await ask('.geojson')).headers['etag'];
  const encoded = (await ask('.geojson', { 'accept-encoding': 'gzip' })).headers['etag'] ?? '';
  const resumed = await ask('.geojson', { range: 'bytes=10-', 'if-range': encoded });
  assert.deepEqual([resumed.status, resumed.headers['etag']], [200, plain]);
});

test('clients that go away free the files that they read', async () => {
  // In any encoding, more than a socket buffers at once.
  const large = geoJsonForms(collectionOf(4 * MiB));
  const { id } = await upload(app, { category_id, file_type: 'vector' });
  await setState(app.services, id, { status: 'ready' }, large);
  for (const encoding of ['identity', 'gzip', 'br']) {
    for (let round = 0; round < 10; round += 1) {
      const socket = await openSocket(app.port);
      socket.write(request('GET', `/datasets/${id}.geojson`, { 'accept-encoding': encoding }));
      await new Promise((resolve) => socket.once('data', resolve));
      socket.destroy();
    }
  }
  await eventually('no object is open', async () => (await openObjects()).length === 0);
  assert.equal((await getRaw(app, `/datasets/${id}.geojson`)).status, 200);
});

test('a file whose bytes are gone is 404 in JSON, without a header of the file', async () => {
  const { id, storage_key } = await upload(app, { category_id: await insertCategory(app.services.db) });
  await app.services.objectStore.remove(storage_key);
  const { status, headers, bytes } = await getRaw(app, `/datasets/${id}/download`, { range: 'bytes=0-1' });
  assert.equal(status, 404);
  assert.deepEqual([headers.get('etag'), headers.get('content-range')], [null, null]);
  assert.ok('error' in JSON.parse(bytes.toString()));
});

/** Stored objects that this process has open. */
async function openObjects(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(
    descriptors.map(async (fd) => await readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  );
  return targets.filter((target) => target.includes('/objects/'));
}
