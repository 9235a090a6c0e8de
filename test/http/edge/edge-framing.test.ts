import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { MiB } from '../../../src/lib/units.ts';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, sendForm } from '../../support/datasets.ts';
import { exchange, openSocket } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const app = await closeAfterTests(startTestApp());

const host = 'host: localhost\r\n';
const close = 'connection: close\r\n';
const category = (): string => JSON.stringify({ code: `c-${randomUUID()}`, name: 'n' });
const posted = (headers: string, body: string): string =>
  `POST /categories HTTP/1.1\r\n${host}${headers}\r\n${body}`;
const chunks = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Every answer of an exchange, each checked for what all answers must have. */
async function answersTo(bytes: string): Promise<{ readonly status: number; readonly body: string }[]> {
  const text = await exchange(app.port, Buffer.from(bytes, 'latin1'));
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter((answer) => answer !== '')
    .map((answer) => {
      assert.match(answer, /^x-content-type-options: nosniff\r$/im, answer);
      assert.match(answer, /^x-request-id: \S+\r$/im, answer);
      const status = Number(answer.slice(9, 12));
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
      if (status >= 400) assert.ok('error' in JSON.parse(body), answer);
      return { status, body };
    });
}

async function statusesOf(bytes: string): Promise<number[]> {
  return (await answersTo(bytes)).map(({ status }) => status);
}

async function countCategories(): Promise<number> {
  const { rows } = await app.services.pool.query<{ count: number }>('select count(*) from categories');
  return Number(rows[0]?.count);
}

describe('a request that two readers could take for two things is 400, closes, and is not acted on:', () => {
  const smuggled = `GET /healthz HTTP/1.1\r\n${host}\r\n`;
  const chunked = 'transfer-encoding: chunked\r\n';
  const cases: Readonly<Record<string, string>> = {
    'a length and chunks': posted(`content-length: 5\r\n${chunked}`, chunks(category())),
    'chunks and a length': posted(`${chunked}content-length: 5\r\n`, chunks(category())),
    'two lengths': posted('content-length: 2\r\ncontent-length: 60\r\n', category()),
    'a list of lengths': posted('content-length: 2, 2\r\n', '{}'),
    'a length with a sign': posted('content-length: +2\r\n', '{}'),
    'a length in hexadecimal': posted('content-length: 0x2\r\n', '{}'),
    'a length past all numbers': posted(`content-length: ${'9'.repeat(40)}\r\n`, '{}'),
    'an unknown coding': posted('transfer-encoding: xchunked\r\n', chunks(category())),
    'a coding before chunked': posted('transfer-encoding: gzip, chunked\r\n', chunks(category())),
    'a coding after chunked': posted('transfer-encoding: chunked, identity\r\n', chunks(category())),
    'chunked twice': posted(chunked + chunked, chunks(category())),
    'chunked in HTTP/1.0': posted(chunked, chunks(category())).replace('HTTP/1.1', 'HTTP/1.0'),
    'a chunk size past all numbers': posted(chunked, `${'f'.repeat(17)}\r\n${category()}`),
    'a negative chunk size': posted(chunked, `-1\r\n${category()}\r\n0\r\n\r\n`),
    'a chunk size with 0x': posted(chunked, '0x2\r\n{}\r\n0\r\n\r\n'),
    'a chunk longer than its size': posted(chunked, '2\r\n{}{}\r\n0\r\n\r\n'),
    'a chunk size that ends in a bare LF': posted(chunked, '2\n{}\r\n0\r\n\r\n'),
    'a folded header': `GET /healthz HTTP/1.1\r\n${host}x: 1\r\n 2\r\n\r\n`,
    'a blank before the colon': `GET /healthz HTTP/1.1\r\n${host}x : 1\r\n\r\n`,
    'lines that end in a bare LF': 'GET /healthz HTTP/1.1\nhost: localhost\n\n',
    'a bare LF in a header': `GET /healthz HTTP/1.1\r\n${host}x: a\nb: c\r\n\r\n`,
    'a bare CR in a header': `GET /healthz HTTP/1.1\r\n${host}x: a\rb\r\n\r\n`,
    'a NUL in a header': `GET /healthz HTTP/1.1\r\n${host}x: a\0b\r\n\r\n`,
    'a Host sent twice': `GET /healthz HTTP/1.1\r\n${host}${host}\r\n`,
    'a blank in the path': `GET /healthz x HTTP/1.1\r\n${host}\r\n`,
    'a byte that is not ASCII in the path': `GET /datasets?q=\xff HTTP/1.1\r\n${host}\r\n`,
    'an unknown version': `GET /healthz HTTP/1.2\r\n${host}\r\n`,
    'the greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'a handshake of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  };
  for (const [what, bytes] of Object.entries(cases)) {
    test(what, async () => {
      const before = await countCategories();
      // The rest on the connection must not be answered as a separate request.
      assert.deepEqual(await statusesOf(bytes + smuggled), [400]);
      assert.equal(await countCategories(), before);
    });
  }
});

describe('headers', () => {
  test('of 15 KiB are read, of 17 KiB, or more than 2,000 of them, are 431', async () => {
    const sized = (kib: number): string =>
      `GET /healthz HTTP/1.1\r\n${host}${close}x: ${'x'.repeat(kib * 1024)}\r\n\r\n`;
    assert.deepEqual(await statusesOf(sized(15)), [200]);
    assert.deepEqual(await statusesOf(sized(17)), [431]);
    const many = `GET /healthz HTTP/1.1\r\n${host}${close}${'x: y\r\n'.repeat(2000)}\r\n`;
    assert.deepEqual(await statusesOf(many), [431]);
  });

  test('may have a URL of 15 KiB, not one of 20 KB', async () => {
    const get = (length: number): string =>
      `GET /datasets?${'a'.repeat(length)} HTTP/1.1\r\n${host}${close}\r\n`;
    assert.deepEqual(await statusesOf(get(15 * 1024)), [200]);
    assert.deepEqual(await statusesOf(get(20_000)), [431]);
  });
});

describe('other ways to ask', () => {
  test('a thousand pipelined requests have a thousand answers, in order', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `n${index}`);
    const requests = ids.map((id, index) => {
      const last = index === ids.length - 1 ? close : '';
      return `GET /healthz HTTP/1.1\r\n${host}x-request-id: ${id}\r\n${last}\r\n`;
    });
    const socket = await openSocket(app.port);
    socket.write(requests.join(''));
    const text = Buffer.concat(await Array.fromAsync(socket)).toString();
    const answered = [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id]) => id);
    assert.deepEqual(answered, ids);
    assert.equal(text.split('HTTP/1.1 200 OK').length - 1, 1000);
  });

  test('HTTP/1.0 and HTTP/0.9 get an answer and an end', async () => {
    for (const bytes of ['GET /healthz HTTP/1.0\r\n\r\n', 'GET /healthz\r\n\r\n']) {
      assert.match(
        await exchange(app.port, bytes),
        /^HTTP\/1\.1 200 .*connection: close.*\{"status":"ok"\}$/is,
      );
    }
  });

  test('the absolute form of a URL is the path in it', async () => {
    assert.deepEqual(await statusesOf(`GET http://localhost/healthz HTTP/1.1\r\n${host}${close}\r\n`), [200]);
  });

  test('CONNECT is 405, an unknown wish 417, an upgrade is not taken', async () => {
    assert.deepEqual(await statusesOf(`GET / HTTP/1.1\r\n${host}expect: miracles\r\n\r\n`), [417]);
    assert.deepEqual(await statusesOf(`CONNECT localhost:22 HTTP/1.1\r\n${host}\r\n`), [405]);
    for (const protocol of ['websocket', 'h2c']) {
      const upgrade = `connection: upgrade, close\r\nupgrade: ${protocol}\r\nhttp2-settings: AAMAAABkAAQ\r\n`;
      assert.deepEqual(await statusesOf(`GET /healthz HTTP/1.1\r\n${host}${upgrade}\r\n`), [200]);
    }
  });

  test('more bytes after the last request change nothing about its answer', async () => {
    const bytes = `GET /healthz HTTP/1.1\r\n${host}${close}\r\nnonsense\r\n\r\n`;
    assert.deepEqual(await answersTo(bytes), [{ status: 200, body: '{"status":"ok"}' }]);
  });

  test('nonsense while an answer is sent ends the connection, and never ends up in the answer', async () => {
    const category_id = await insertCategory(app.services.db);
    const { body } = await sendForm(app, '/datasets', [
      ['file_type', 'raster'],
      ['category_id', category_id],
      ['file', new File(['II*\0', Buffer.alloc(32 * MiB)], 'x.tif')],
    ]);
    const socket = await openSocket(app.port);
    socket.write(`GET /datasets/${body.id}/download HTTP/1.1\r\n${host}\r\n`);
    await once(socket, 'readable');
    socket.write('nonsense\r\n\r\n');
    const text = Buffer.concat(await Array.fromAsync(socket)).toString('latin1');
    assert.equal(text.split('HTTP/1.1 ').length, 2);
    assert.ok(text.length < 32 * MiB);
  });

  test('a body where none is expected is not taken for the next request', async () => {
    const inner = `GET /readyz HTTP/1.1\r\n${host}\r\n`;
    const get = `GET /healthz HTTP/1.1\r\n${host}content-length: ${inner.length}\r\n\r\n${inner}`;
    const answers = await answersTo(get);
    assert.deepEqual(answers, [{ status: 200, body: '{"status":"ok"}' }]);
  });
});
