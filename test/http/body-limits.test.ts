import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { insertCategory, leftovers, nothing, send, upload } from '../support/datasets.ts';
import { exchange, exchangeAndEnd, exchangeEagerly, openSocket } from '../support/raw-http.ts';

const maxUploadBytes = 2 * MiB;
const type = 'content-type: multipart/form-data; boundary=edge\r\n';
const tiff = 'II*\0';

let app: TestApp;
let categoryId = '';
before(async () => {
  app = await startTestApp({ maxUploadBytes });
  categoryId = await insertCategory(app.services.db);
});
after(async () => await app.close());

function head(length: number, ...more: readonly string[]): string {
  const lines = [`content-length: ${length}\r\n`, ...more.map((line) => `${line}\r\n`)].join('');
  return `POST /datasets HTTP/1.1\r\nhost: test\r\n${type}${lines}\r\n`;
}

/** A form of exactly this many bytes that would be accepted. */
function form(bytes: number): string {
  const field = (name: string, value: string): string =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const start = `--edge\r\nContent-Disposition: form-data; name="file"; filename="x.tif"\r\n\r\n${tiff}`;
  const end = `\r\n${field('file_type', 'raster')}${field('category_id', categoryId)}--edge--\r\n`;
  return start + 'x'.repeat(bytes - start.length - end.length) + end;
}

const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n`;
const chunkedHead = `POST /datasets HTTP/1.1\r\nhost: test\r\n${type}transfer-encoding: chunked\r\n\r\n`;

async function nothingIsLeft(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const left = await leftovers(app.services);
    if (left.stored.length + left.ledger.length + left.datasets.length === 0) break;
    await delay(50);
  }
  assert.deepEqual(await leftovers(app.services), nothing);
}

describe('a body over the limit', () => {
  test('is 413 by its Content-Length, before it is sent', async () => {
    assert.match(await exchange(app.port, head(maxUploadBytes + 1)), /^HTTP\/1\.1 413 .*nosniff/s);
  });

  test('is 413 without 100 Continue for a client that asks first', async () => {
    const answer = await exchange(app.port, head(maxUploadBytes + 1, 'expect: 100-continue'));
    assert.match(answer, /^HTTP\/1\.1 413 /);
  });

  test('is 413 for a client that writes all of it before it reads, every time', async () => {
    const totalBytes = 64 * MiB;
    for (let round = 0; round < 20; round += 1) {
      const answer = await exchangeEagerly(app.port, head(totalBytes), totalBytes);
      assert.match(answer, /^HTTP\/1\.1 413 .*connection: close.*"error"/is);
    }
  });

  test('is 413 when it has no length, and leaves nothing', async () => {
    const answer = await exchange(app.port, chunkedHead, chunked(form(maxUploadBytes + 1)), '0\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 413 /);
    await nothingIsLeft();
  });

  test('of JSON is 413 too', async () => {
    const body = JSON.stringify({ code: 'a', name: 'x'.repeat(maxUploadBytes) });
    assert.equal((await send(app, '/categories', { method: 'POST', body })).status, 413);
  });
});

describe('a body at the limit', () => {
  test('is accepted', async () => {
    const body = form(maxUploadBytes);
    const answer = await exchange(app.port, head(maxUploadBytes, 'connection: close'), body);
    assert.match(answer, /^HTTP\/1\.1 201 /);
    const { id } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    assert.equal((await send(app, `/datasets/${id}`, { method: 'DELETE' })).status, 204);
    await nothingIsLeft();
  });

  test('is asked for with 100 Continue', async () => {
    const body = form(1000);
    const answer = await exchange(app.port, head(1000, 'expect: 100-continue', 'connection: close'), body);
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    const { id } = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4));
    await send(app, `/datasets/${id}`, { method: 'DELETE' });
  });
});

describe('a form that breaks', () => {
  test('is 400 when the client says that it has sent all, and leaves nothing', async () => {
    const body = form(MiB);
    assert.match(
      await exchangeAndEnd(app.port, head(MiB), body.slice(0, 5000)),
      /^HTTP\/1\.1 400 .*nosniff/s,
    );
    await nothingIsLeft();
  });

  test('leaves nothing when the client goes away at any moment', async () => {
    const body = form(MiB);
    for (let round = 0; round < 40; round += 1) {
      const socket = await openSocket(app.port);
      socket.write(head(MiB));
      socket.write(body.slice(0, Math.floor((body.length * round) / 40)));
      await delay(round % 5);
      socket.destroy();
    }
    await nothingIsLeft();
  });
});

test('an early answer keeps no client from its next request', async () => {
  const first = await fetch(`${app.baseUrl}/datasets`, {
    method: 'POST',
    body: 'x'.repeat(MiB),
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(first.status, 400);
  await first.text();
  const dataset = await upload(app, { category_id: categoryId });
  assert.equal((await send(app, `/datasets/${dataset.id}`, { method: 'DELETE' })).status, 204);
});
