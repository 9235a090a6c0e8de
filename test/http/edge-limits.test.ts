import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { leftovers, nothing } from '../support/datasets.ts';
import { describedOperations, type Operation } from '../support/operations.ts';
import { exchange } from '../support/raw-http.ts';

const limit = 5000;
const form = 'content-type: multipart/form-data; boundary=edge\r\n';

let app: TestApp;
let whole: TestApp;
let withBody: readonly Operation[] = [];
before(async () => {
  app = await startTestApp({ maxUploadBytes: limit });
  whole = await startTestApp();
  withBody = (await describedOperations(app)).filter(({ bodyKind }) => bodyKind !== 'none');
});
after(async () => {
  await app.close();
  await whole.close();
});

/** A body of exactly so many bytes that is well formed and holds nothing. */
function emptyBody({ bodyKind }: Operation, bytes: number): string {
  return (bodyKind === 'form' ? '--edge--' : '{}').padEnd(bytes, ' ');
}

function head({ method, path, bodyKind }: Operation, ...headers: readonly string[]): string {
  const type = bodyKind === 'form' ? form : '';
  const url = path.replace(/\{\w+\}/, randomUUID());
  const lines = ['host: localhost', 'connection: close', ...headers].map((line) => `${line}\r\n`).join('');
  return `${method} ${url} HTTP/1.1\r\n${type}${lines}\r\n`;
}

const status = (answer: string): number => Number(answer.slice(9, 12));
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

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
    assert.deepEqual({ ...(await leftovers(app.services)), jobs: [] }, nothing); // an empty body starts a run
  });

  test('answers 413 to who asks first, without leave to send the body', async () => {
    for (const operation of withBody) {
      const request = head(operation, `content-length: ${limit + 1}`, 'expect: 100-continue');
      assert.match(await exchange(app.port, request), /^HTTP\/1\.1 413 /, operation.path);
    }
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
