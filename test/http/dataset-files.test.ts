import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  getRaw,
  insertCategory,
  send,
  sendForm,
  sendRawForm,
  setState,
  upload,
} from '../support/datasets.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const unknownId = '00000000-0000-0000-0000-00000000000f';

let app: TestApp;
let category: string;
before(async () => {
  app = await startTestApp();
  category = await insertCategory(app.services.db);
});
after(async () => await app.close());

describe('GET /datasets/{id}/download', () => {
  const files = [
    ['raster', 'raster/bigtiff_motorola.tif'],
    ['raster', 'raster/float_nan.tif'],
    ['vector', 'vector/utf8_bom.geojson'],
    ['vector_with_kato', 'kato/population_by_region_2000_2023.geojson'],
  ] as const;
  for (const [fileType, path] of files) {
    it(`gives back ${path} byte by byte, whatever its state`, async () => {
      const bytes = await readFile(new URL(path, fixtures));
      const { status, body } = await sendForm(app, '/datasets', [
        ['category_id', category],
        ['file', new File([bytes], path)],
        ['file_type', fileType],
      ]);
      assert.equal(status, 201);
      assert.equal(body['size_bytes'], bytes.length);
      for (const state of ['pending', 'failed']) {
        await setState(app.services, body.id, { status: state });
        const answer = await getRaw(app, `/datasets/${body.id}/download`);
        assert.equal(answer.status, 200);
        assert.ok(answer.bytes.equals(bytes));
        assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
        assert.equal(answer.headers.get('content-length'), String(bytes.length));
      }
    });
  }

  const names = [
    ['Карта "ҚР".tif', '_____ __.tif', '%D0%9A%D0%B0%D1%80%D1%82%D0%B0%20%D2%9A%D0%A0.tif'],
    ["it's; 100%.tif", "it's; 100%.tif", 'it%27s%3B%20100%25.tif'],
    ['\u202e😀\u2028.tif', '___.tif', '%E2%80%AE%F0%9F%98%80%E2%80%A8.tif'],
  ] as const;
  for (const [name, fallback, encoded] of names) {
    it(`names ${JSON.stringify(name)} in ASCII and in full`, async () => {
      const escaped = name.replaceAll('"', String.raw`\"`);
      const { body, text } = await sendRawForm(app, '/datasets', [
        { headers: ['Content-Disposition: form-data; name="file_type"'], content: 'raster' },
        { headers: ['Content-Disposition: form-data; name="category_id"'], content: category },
        {
          headers: [
            `Content-Disposition: form-data; name="file"; filename="${escaped}"`,
            'Content-Type: image/tiff',
          ],
          content: 'II*\0',
        },
      ]);
      assert.equal(body['filename'], name, text);
      const { headers } = await getRaw(app, `/datasets/${body.id}/download`);
      const disposition = `attachment; filename="${fallback}"; filename*=UTF-8''${encoded}`;
      assert.equal(headers.get('content-disposition'), disposition);
    });
  }

  it('answers ranges, conditions and HEAD', async () => {
    const { id } = await upload(app, { category_id: category });
    const path = `/datasets/${id}/download`;
    const whole = await getRaw(app, path);
    const etag = whole.headers.get('etag') ?? '';
    const size = whole.bytes.length;
    const part = await getRaw(app, path, { range: 'bytes=1-3' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 1-3/${size}`);
    assert.ok(part.bytes.equals(whole.bytes.subarray(1, 4)));
    assert.equal((await getRaw(app, path, { 'if-none-match': etag })).status, 304);
    const outside = await getRaw(app, path, { range: `bytes=${size}-` });
    assert.equal(outside.status, 416);
    assert.equal(outside.headers.get('content-range'), `bytes */${size}`);
    const head = await fetch(app.baseUrl + path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(size)]);
  });
});

describe('GET /datasets/{id}.geojson', () => {
  const collection = `{"type":"FeatureCollection","features":[${'1,'.repeat(2000)}1]}`;

  it('is 422 for a raster in any state', async () => {
    const { id } = await upload(app, { category_id: category });
    for (const status of ['pending', 'ready', 'failed']) {
      await setState(app.services, id, { status });
      assert.equal((await send(app, `/datasets/${id}.geojson`)).status, 422, status);
    }
  });

  for (const fileType of ['vector', 'vector_with_kato']) {
    it(`is 409 for a ${fileType} until it is ready`, async () => {
      const { id } = await upload(app, { category_id: category, file_type: fileType });
      await setState(app.services, id, {}, { geojson_storage_key: collection });
      const states = ['pending', 'processing', 'parsing', 'awaiting_mapping', 'extracting', 'failed'];
      for (const status of states) {
        await setState(app.services, id, { status });
        const answer = await send<{ error: string }>(app, `/datasets/${id}.geojson`);
        assert.deepEqual([answer.status, typeof answer.body.error], [409, 'string'], status);
      }
      await setState(app.services, id, { status: 'ready' });
      const { status, headers, text } = await send(app, `/datasets/${id}.geojson`);
      assert.deepEqual(
        [status, headers.get('content-type'), text],
        [200, 'application/geo+json', collection],
      );
    });
  }

  it('negotiates gzip and br, with one ETag each, but not for a range', async () => {
    const { id } = await upload(app, { category_id: category, file_type: 'vector' });
    await setState(app.services, id, { status: 'ready' }, { geojson_storage_key: collection });
    const path = `/datasets/${id}.geojson`;
    const plain = await getRaw(app, path, { 'accept-encoding': 'identity' });
    const gzip = await getRaw(app, path, { 'accept-encoding': 'gzip' });
    const br = await getRaw(app, path, { 'accept-encoding': 'gzip;q=0.5, br' });
    assert.deepEqual(
      [plain, gzip, br].map(({ headers }) => headers.get('content-encoding')),
      [null, 'gzip', 'br'],
    );
    assert.equal(new Set([plain, gzip, br].map(({ headers }) => headers.get('etag'))).size, 3);
    assert.equal(plain.bytes.toString(), collection);
    assert.equal(gunzipSync(gzip.bytes).toString(), collection);
    assert.equal(brotliDecompressSync(br.bytes).toString(), collection);
    for (const { headers } of [plain, gzip, br]) assert.match(headers.get('vary') ?? '', /accept-encoding/i);
    const range = await getRaw(app, path, { 'accept-encoding': 'gzip', range: 'bytes=0-9' });
    assert.deepEqual([range.status, range.bytes.toString()], [206, collection.slice(0, 10)]);
  });
});

describe('GET /datasets/{id}.cog', () => {
  for (const fileType of ['vector', 'vector_with_kato']) {
    it(`is 422 for a ${fileType} in any state`, async () => {
      const { id } = await upload(app, { category_id: category, file_type: fileType });
      for (const status of ['pending', 'ready']) {
        await setState(app.services, id, { status });
        assert.equal((await send(app, `/datasets/${id}.cog`)).status, 422);
      }
    });
  }

  it('is 409 until the COG exists, and for a failed raster', async () => {
    const { id } = await upload(app, { category_id: category });
    for (const status of ['pending', 'processing', 'failed']) {
      await setState(app.services, id, { status });
      assert.equal((await send(app, `/datasets/${id}.cog`)).status, 409, status);
    }
  });

  it('gives the COG, whole and in ranges, never encoded', async () => {
    const cog = await readFile(new URL('raster/RGBA.uint16.tif', fixtures));
    const { id } = await upload(app, { category_id: category });
    await setState(app.services, id, { status: 'ready' }, { cog_storage_key: cog });
    const { body } = await send(app, `/datasets/${id}`);
    assert.match(String(body['cog_storage_key']), /^test\//);
    const { status, headers, bytes } = await getRaw(app, `/datasets/${id}.cog`, {
      'accept-encoding': 'gzip, br',
    });
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/tiff']);
    assert.ok(bytes.equals(cog));
    assert.equal(headers.get('content-encoding'), null);
    assert.equal(headers.get('accept-ranges'), 'bytes');
    const head = await getRaw(app, `/datasets/${id}.cog`, { range: 'bytes=0-15' });
    assert.deepEqual([head.status, head.bytes.equals(bytes.subarray(0, 16))], [206, true]);
  });
});

describe('every file of a dataset', () => {
  for (const suffix of ['/download', '.geojson', '.cog', '/sld']) {
    it(`${suffix} is 400 for a malformed id, 404 for an unknown one, 405 for DELETE`, async () => {
      assert.equal((await send(app, `/datasets/1${suffix}`)).status, 400);
      assert.equal((await send(app, `/datasets/${unknownId}${suffix}`)).status, 404);
      const { status, headers } = await send(app, `/datasets/${unknownId}${suffix}`, { method: 'DELETE' });
      assert.equal(status, 405);
      assert.match(headers.get('allow') ?? '', /GET/);
    });
  }

  it('is 404 when its object is gone from the store', async () => {
    const { id, storage_key: key } = await upload(app, { category_id: category });
    await app.services.objectStore.remove(key);
    assert.equal((await send(app, `/datasets/${id}/download`)).status, 404);
  });
});
