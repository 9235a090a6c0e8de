import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { MiB } from '../../src/common/units.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { send, sendJson } from '../support/datasets.ts';
import { exchange, request } from '../support/raw-http.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(async () => await app.close());

interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: unknown;
}

/** Sends bytes and reads an answer that has what every answer has. */
async function raw(...chunks: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const text = await exchange(app.port, ...chunks);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  assert.equal(headers.get('x-content-type-options'), 'nosniff', text);
  assert.match(headers.get('x-request-id') ?? '', /./);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

function assertError({ status, body }: Pick<RawAnswer, 'status' | 'body'>, expected: number): void {
  assert.equal(status, expected);
  assert.ok(typeof body === 'object' && body !== null && ('error' in body || 'errors' in body));
}

const paths = [
  ['/healthz', 'GET, HEAD, OPTIONS'],
  ['/categories', 'GET, HEAD, OPTIONS, POST'],
  [`/categories/${randomUUID()}`, 'DELETE, GET, HEAD, OPTIONS, PUT'],
  [`/dataset-groups/${randomUUID()}`, 'DELETE, GET, HEAD, OPTIONS, PUT'],
  [`/dataset-groups/${randomUUID()}/latest`, 'GET, HEAD, OPTIONS'],
  [`/datasets/${randomUUID()}`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  [`/datasets/${randomUUID()}.cog`, 'GET, HEAD, OPTIONS'],
  [`/datasets/${randomUUID()}.geojson`, 'GET, HEAD, OPTIONS'],
  [`/datasets/${randomUUID()}/mapping`, 'OPTIONS, POST'],
  ['/landscape/slots', 'GET, HEAD, OPTIONS'],
  ['/landscape/slots/landscape-in-dem', 'OPTIONS, POST'],
  ['/landscape/runs', 'GET, HEAD, OPTIONS, POST'],
  [`/landscape/runs/${randomUUID()}`, 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
] as const;

describe('methods', () => {
  for (const [path, allow] of paths) {
    test(`of ${path.replace(/[0-9a-f-]{36}/, '{id}')} are ${allow}`, async () => {
      const options = await send(app, path, { method: 'OPTIONS' });
      assert.deepEqual([options.status, options.headers.get('allow'), options.text], [204, allow, '']);
      const others = METHODS.filter((method) => method !== 'CONNECT' && !allow.split(', ').includes(method));
      for (const method of others) {
        const answer = await raw(request(method, path, { connection: 'close' }, '{'));
        if (method === 'HEAD') assert.equal(answer.status, 405);
        else assertError(answer, 405);
        assert.equal(answer.headers.get('allow'), allow);
      }
    });
  }

  test('of an unknown path are nothing but 404', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const answer = await send(app, '/nothing', { method });
      assertError(answer, 404);
    }
  });

  test('HEAD gives the headers of GET and no body', async () => {
    const get = await send(app, '/healthz');
    const head = await fetch(`${app.baseUrl}/healthz`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  });
});

describe('a JSON body', () => {
  const post = async (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    await send(app, '/categories', { method: 'POST', body, headers });
  const valid = (): string => JSON.stringify({ code: `c-${randomUUID()}`, name: 'n' });

  test('is read whatever its media type', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      'nonsense',
    ]) {
      assert.equal((await post(valid(), { 'content-type': type })).status, 201, type);
    }
    const bare = await raw(request('POST', '/categories', { connection: 'close' }, valid()));
    assert.equal(bare.status, 201);
  });

  test('is 400 when it is not JSON, or no object', async () => {
    for (const body of ['{', '{"a":1,}', '[]', 'null', '""', '1', 'nonsense', ' ', '{"a":"\u0001"}']) {
      assertError(await post(body), 400);
    }
    assertError(await post(Buffer.from([0x7b, 0xff, 0x7d])), 400);
  });

  test('is 400 when it is missing', async () => {
    assertError(await send(app, '/categories', { method: 'POST' }), 400);
    assertError(await raw('POST /categories HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n'), 400);
  });

  test('may be nested 64 deep and no deeper', async () => {
    const nested = (depth: number): string => `{"x":${'['.repeat(depth - 1)}"}"${']'.repeat(depth - 1)}}`;
    assert.equal((await post(nested(64))).status, 422);
    for (const depth of [65, 1000, 1_000_000]) assertError(await post(nested(depth)), 400);
  });

  test('with __proto__ in it does no harm', async () => {
    const code = `c-${randomUUID()}`;
    const body = `{"code":"${code}","name":"n","__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}}}`;
    assert.equal((await post(body)).status, 201);
    assert.equal('admin' in {}, false);
  });

  test('is 415 with a Content-Encoding', async () => {
    assertError(await post(valid(), { 'content-encoding': 'gzip' }), 415);
  });

  test('is 413 above 16 MiB, with and without a length', async () => {
    const tooLong = `{"name":"${'x'.repeat(16 * MiB)}"}`;
    assertError(await post(tooLong), 413);
    const head = 'POST /categories HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n';
    assertError(await raw(head, `${tooLong.length.toString(16)}\r\n`, tooLong, '\r\n0\r\n\r\n'), 413);
  });

  test('is ignored where none is expected', async () => {
    assertError(await sendJson(app, 'DELETE', `/categories/${randomUUID()}`, '{'), 404);
  });

  test('is ignored where none is expected, whatever its media type', async () => {
    const headers = { 'content-type': 'garbage', connection: 'close' };
    for (const [method, path] of [
      ['DELETE', '/categories'],
      ['POST', '/datasets'],
    ] as const) {
      const url = `${path}/${randomUUID()}${method === 'POST' ? '/retry' : ''}`;
      assertError(await raw(request(method, url, headers)), 404);
      assertError(await raw(request(method, url, headers, 'x')), 404);
    }
  });
});

describe('URLs', () => {
  test('with broken escapes are 400', async () => {
    for (const path of [
      '/%zz',
      '/categories/%',
      '/categories/%ff',
      '/categories?parent_id=%ff',
      '/categories?x=%',
    ]) {
      assertError(await raw(request('GET', path, { connection: 'close' })), 400);
    }
  });

  test('with broken escapes in a query that nobody reads are answered', async () => {
    for (const path of ['/healthz?%zz', '/readyz?x=%ff', '/openapi.json?%']) {
      assert.equal((await raw(request('GET', path, { connection: 'close' }))).status, 200);
    }
  });

  test('that are strange but well formed never fail the service', async () => {
    const id = randomUUID();
    const strange = [
      '/datasets/%00',
      '/datasets/..%2f..%2fetc%2fpasswd',
      `/datasets/${id}.geojson%00.cog`,
      '/categories/',
    ];
    for (const path of [
      ...strange,
      `/datasets/${id}.GEOJSON`,
      `/datasets/${id};x`,
      `/categories/${'x'.repeat(8000)}`,
    ]) {
      const { status } = await raw(request('GET', path, { connection: 'close' }));
      assert.ok(status === 400 || status === 404, `${path} ${status}`);
    }
  });

  test('may carry unknown parameters, many of them too', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `x${index}=1`).join('&');
    for (const query of [many, 'a[__proto__][x]=1', 'a=1&a=2', '', '&&&']) {
      assert.equal((await send(app, `/dataset-groups?${query}`)).status, 200);
    }
  });
});

describe('what the parser refuses', () => {
  test('is answered in JSON, and the connection closes', async () => {
    const cases = [
      ['nonsense\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nhost test\r\n\r\n', 400],
      ['POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
      ['POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nhost: test\r\nx: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(20 * 1024)} HTTP/1.1\r\nhost: test\r\n\r\n`, 431],
      ['CONNECT test:80 HTTP/1.1\r\nhost: test\r\n\r\n', 405],
      ['GET / HTTP/1.1\r\nhost: test\r\nexpect: miracles\r\n\r\n', 417],
    ] as const;
    for (const [bytes, status] of cases) {
      const answer = await raw(bytes);
      assertError(answer, status);
      assert.equal(answer.headers.get('connection'), 'close');
    }
  });

  test('an upgrade is ignored', async () => {
    const headers = { connection: 'upgrade, close', upgrade: 'websocket' };
    assert.equal((await raw(request('GET', '/healthz', headers))).status, 200);
  });
});

describe('X-Request-Id', () => {
  test("is the client's own when it can be shown, else a new one", async () => {
    const idFor = async (id: string) =>
      (await send(app, '/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id');
    assert.equal(await idFor('abc-123'), 'abc-123');
    assert.match((await idFor('with blank')) ?? '', /^[0-9a-f-]{36}$/);
    assert.match((await idFor('x'.repeat(200))) ?? '', /^[0-9a-f-]{36}$/);
  });
});

test('what nobody foresaw is 500 and says nothing', async () => {
  await using broken = await startTestApp();
  await broken.services.pool.query('alter table categories rename column name to secret_name');
  const { status, body } = await send(broken, '/categories');
  assert.deepEqual([status, body], [500, { error: 'internal error' }]);
});
