import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, leftovers, nothing, send, tiffBytes } from '../../support/datasets.ts';
import { describedOperations } from '../../support/http/document.ts';
import { exchange, request } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const app = await closeAfterTests(startTestApp());
const category = await insertCategory(app.services.db);
const operations = await describedOperations(app);
const forms = operations.filter(({ bodyKind }) => bodyKind === 'form').map(({ path }) => path);

const field = (name: string, value: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (more = '', name = 'x.tif'): string =>
  `--edge\r\n${more}Content-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n${tiffBytes}\r\n`;
const usual = (): string => field('file_type', 'raster') + field('category_id', category);
const end = '--edge--\r\n';

async function post(body: string, path = '/datasets') {
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  return await send(app, path, { method: 'POST', body, headers });
}

test('a form that breaks off, or has a part header of 100 KB, is 400 on every path that takes one', async () => {
  assert.ok(forms.length >= 4);
  for (const path of forms) {
    for (const body of [
      '',
      `${usual()}${file()}--edge\r\n`,
      usual() + file(`X: ${'x'.repeat(100_000)}\r\n`) + end,
      usual() + file('', 'a\r\nb.tif') + end,
    ]) {
      const { status, text } = await post(body, path.replace(/\{\w+\}/, category));
      assert.equal(status, 400, `${path} ${text}`);
    }
  }
  assert.deepEqual(await leftovers(app.services), nothing);
});

test('a body that is compressed is 415, whatever the coding, and nothing is inflated', async () => {
  for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity']) {
    for (const path of ['/datasets', '/categories']) {
      const headers = { 'content-encoding': coding, connection: 'close' };
      const answer = await exchange(app.port, request('POST', path, headers, '\x1f\x8b\x08\x00'));
      assert.match(answer, /^HTTP\/1\.1 415 .*nosniff.*"error"/s, coding);
    }
  }
});

test('a form of 5,000 parts, 10,000 fields, or as many files is 422 on file', async () => {
  for (const parts of [
    field('x', '').repeat(5000),
    Array.from({ length: 10_000 }, (_, index) => field(`f${index}`, '1')).join(''),
    file('', 'y.tif').replace('"file"', '"y"').repeat(5000),
  ]) {
    const { status, body } = await post(parts + usual() + file() + end);
    assert.equal(status, 422);
    assert.ok('file' in Object(body['errors']));
  }
  assert.deepEqual(await leftovers(app.services), nothing);
});

test('a form that is only strange is taken: a million empty lines, two thousand headers, one of another answer', async () => {
  const lines = '\r\n'.repeat(1_000_000);
  const headers = Array.from({ length: 2001 }, (_, index) => `X-${index}: 1\r\n`).join('');
  for (const body of [
    `${lines}${usual()}${file()}${end}`,
    `${usual()}${file()}${end}${lines}`,
    `${field('x', lines)}${usual()}${file()}${end}`,
    usual() + file(headers) + end,
    usual() + file('X-Evil: 1\r\n') + end,
  ]) {
    const { status, body: made, text } = await post(body);
    assert.equal(status, 201, text);
    assert.equal(made['size_bytes'], tiffBytes.length);
    assert.equal((await send(app, `/datasets/${made.id}/download`)).headers.get('x-evil'), null);
  }
});
