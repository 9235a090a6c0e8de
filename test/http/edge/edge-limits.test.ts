import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { GiB, KiB, MiB } from '../../../src/lib/units.ts';
import { withDeadlines } from '../../../src/object-store/deadlines.ts';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, leftovers, nothing, send, tiffBytes, upload } from '../../support/datasets.ts';
import { type DescribedOperation, describedOperations } from '../../support/http/document.ts';
import { eventually } from '../../support/processes.ts';
import { exchange, exchangeAndEnd, openSocket, rawForm, textPart } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const limit = 64 * KiB;
const type = 'content-type: multipart/form-data; boundary=edge';

const app = await closeAfterTests(startTestApp({ maxUploadBytes: limit }));
const whole = await closeAfterTests(startTestApp());
const categoryId = await insertCategory(app.services.db);
/** Parts of files have another limit. */
const withBody = (await describedOperations(app)).filter(
  ({ bodyKind }) => bodyKind === 'form' || bodyKind === 'json',
);

/** A valid body of exactly this size without content. */
function emptyBody({ bodyKind }: DescribedOperation, bytes: number): string {
  return (bodyKind === 'form' ? '--edge--' : '{}').padEnd(bytes, ' ');
}

/** A valid upload of exactly this size. */
function form(bytes: number): string {
  const fields = [textPart('file_type', 'raster'), textPart('category_id', categoryId)];
  const withFile = (content: string) =>
    rawForm([
      { headers: ['Content-Disposition: form-data; name="file"; filename="x.tif"'], content },
      ...fields,
    ]);
  const start = 'II*\0';
  return Buffer.from(withFile(start.padEnd(start.length + bytes - withFile(start).length, 'x'))).toString();
}

const uploading = { method: 'POST', path: '/datasets', bodyKind: 'form' } as const;
type Asked = Pick<DescribedOperation, 'method' | 'path' | 'bodyKind'>;

function head({ method, path, bodyKind }: Asked, ...headers: readonly string[]): string {
  const url = path.replace(/\{\w+\}/, randomUUID());
  const all = ['host: localhost', 'connection: close', ...(bodyKind === 'form' ? [type] : []), ...headers];
  return `${method} ${url} HTTP/1.1\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n`;
}

const status = (answer: string): number => Number(answer.slice(9, 12));
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Deletes what was uploaded and asserts that nothing else exists. */
async function nothingIsLeft(answer = ''): Promise<void> {
  const [id] = /(?<="id":")[^"]*/.exec(answer) ?? [];
  if (id !== undefined) await send(app, `/datasets/${id}`, { method: 'DELETE' });
  await eventually('nothing is left', async () => {
    const { jobs: _, ...left } = await leftovers(app.services); // an empty body starts a run
    return Object.values(left).every((rows) => rows.length === 0);
  });
}

describe('every operation with a body', () => {
  test('is among those that the service describes', () => {
    assert.ok(withBody.filter(({ bodyKind }) => bodyKind === 'form').length >= 4);
    assert.ok(withBody.filter(({ bodyKind }) => bodyKind === 'json').length >= 8);
  });

  test('takes one of exactly the limit, and answers 413 to one of a byte more, however it is framed', async () => {
    for (const operation of withBody) {
      for (const [bytes, isTooLarge] of [
        [limit, false],
        [limit + 1, true],
      ] as const) {
        const body = emptyBody(operation, bytes);
        const byLength = await exchange(app.port, head(operation, `content-length: ${bytes}`), body);
        const byChunks = await exchange(
          app.port,
          head(operation, 'transfer-encoding: chunked'),
          chunked(body),
        );
        for (const answer of [byLength, byChunks]) {
          const what = `${operation.method} ${operation.path} ${bytes}: ${answer}`;
          assert.equal(status(answer) === 413, isTooLarge, what);
          assert.match(answer, /nosniff/, what);
          assert.ok(status(answer) < 500, what);
        }
      }
    }
    await nothingIsLeft();
  });

  test('answers 413 by its Content-Length, before it is sent and without leave to send it', async () => {
    for (const operation of withBody) {
      for (const more of [[], ['expect: 100-continue']]) {
        const request = head(operation, `content-length: ${limit + 1}`, ...more);
        assert.match(await exchange(app.port, request), /^HTTP\/1\.1 413 /, operation.path);
      }
    }
  });
});

describe('an upload', () => {
  test('of exactly the limit is stored; of a byte more, without a length, it is 413 and leaves nothing', async () => {
    const fits = await exchange(app.port, head(uploading, `content-length: ${limit}`), form(limit));
    assert.equal(status(fits), 201, fits);
    await nothingIsLeft(fits);
    const chunks = head(uploading, 'transfer-encoding: chunked');
    assert.equal(status(await exchange(app.port, chunks, chunked(form(limit + 1)))), 413);
    await nothingIsLeft();
  });

  test('that breaks off is 400 when the client says that it has sent all, and leaves nothing', async () => {
    const sent = [head(uploading, `content-length: ${limit}`), form(limit).slice(0, 5000)];
    assert.match(await exchangeAndEnd(app.port, ...sent), /^HTTP\/1\.1 400 .*nosniff/s);
    await nothingIsLeft();
  });

  test('leaves nothing when the client goes away at any moment', async () => {
    const body = form(limit);
    for (let round = 0; round < 40; round += 1) {
      const socket = await openSocket(app.port);
      socket.write(head(uploading, `content-length: ${limit}`));
      socket.write(body.slice(0, Math.floor((body.length * round) / 40)));
      await delay(round % 5);
      socket.destroy();
    }
    await nothingIsLeft();
    assert.deepEqual({ ...(await leftovers(app.services)), jobs: [] }, nothing);
  });

  test('that was answered early keeps no client from its next request', async () => {
    const headers = { 'content-type': 'text/plain' };
    const first = await send(whole, '/datasets', { method: 'POST', body: 'x'.repeat(MiB), headers });
    assert.equal(first.status, 400);
    await upload(whole, { category_id: await insertCategory(whole.services.db) });
  });
});

describe('leave to send a body', () => {
  const ask = (line: string, length: number): string =>
    `${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`;

  test('is given when nothing but the body can be wrong', async () => {
    const body = JSON.stringify({ code: 'asked-first', name: 'n' });
    const answer = await exchange(whole.port, ask('POST /categories', body.length), body);
    assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  test('is not given for JSON above 16 MiB, on paths and with methods that are not there', async () => {
    for (const [line, expected] of [
      ['POST /categories', 413],
      ['POST /nothing', 404],
      ['POST /healthz', 405],
    ] as const) {
      assert.equal(status(await exchange(whole.port, ask(line, 16 * MiB + 1))), expected);
    }
  });

  test('is not given to HTTP/1.0, which does not know it', async () => {
    const body = JSON.stringify({ code: 'never-asked', name: 'n' });
    const old = ask('POST /categories', body.length).replace('HTTP/1.1', 'HTTP/1.0');
    assert.match(await exchange(whole.port, old, body), /^HTTP\/1\.1 201 /);
  });
});

test('a store hears the most bytes that an upload can have, by which it cuts it into parts', async () => {
  const sizes: (number | undefined)[] = [];
  const maxUploadBytes = 80 * GiB;
  await using large = await startTestApp({
    maxUploadBytes,
    aroundStore: (store) =>
      withDeadlines({
        ...store,
        async put(key, body, call) {
          sizes.push(call?.sizeBytes);
          await store.put(key, body, call);
        },
      }),
  });
  const parts = { file_type: 'raster', category_id: await insertCategory(large.services.db) };
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  body.set('file', new File([tiffBytes], 'relief.tif'));
  const encoded = new Response(body);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  const bytes = Buffer.from(await encoded.arrayBuffer());
  for (const each of [bytes, ReadableStream.from([bytes])]) {
    const asking = { method: 'POST', headers, body: each, duplex: 'half' } as const;
    assert.equal((await fetch(`${large.baseUrl}/datasets`, asking)).status, 201);
  }
  assert.deepEqual(sizes, [bytes.length, maxUploadBytes]);
});
