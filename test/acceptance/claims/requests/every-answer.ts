import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkedElsewhere, claim } from '../../claim.ts';
import { makeCategory, newCode } from '../../support/catalogue.ts';
import { readDescription } from '../../support/description.ts';
import { assertError } from '../../support/errors.ts';
import { exchange } from '../../support/bytes.ts';

const headers = ['4 nosniff', 'D1 common headers'] as const;

// The clients of all claims assert both headers on every answer.
claim(
  headers,
  'every answer has nosniff and X-Request-Id: 201, 204, 405, 409, 413, 422, and what is not a route of the interface',
  async (client) => {
    const { id, code } = await makeCategory(client);
    const json = { code, name: 'n' };
    await client.expect(409, 'POST', '/categories', { json });
    await client.expect(422, 'POST', '/categories', { json: {} });
    await client.expect(405, 'PATCH', `/categories/${id}`);
    await client.expect(413, 'POST', '/categories', { body: 'x'.repeat(16 * 1024 * 1024 + 1) });
    await client.expect(204, 'OPTIONS', '/categories');
    await client.expect(204, 'DELETE', `/categories/${id}`);
    await client.expect(404, 'GET', '/nothing');
    await client.expect(200, 'GET', '/openapi.json');
    await client.expect(200, 'GET', '/docs', { redirect: 'follow' });
    await client.ask('GET', '/');
  },
);

claim(headers, 'so does what no HTTP client would send', async ({ baseUrl }) => {
  const { host } = new URL(baseUrl);
  const expected = {
    'nonsense\r\n\r\n': 400,
    'GET / HTTP/1.1\r\n\r\n': 400,
    [`GET / HTTP/1.1\r\nhost ${host}\r\n\r\n`]: 400,
    [`GET /healthz HTTP/9.9\r\nhost: ${host}\r\n\r\n`]: 400,
    [`POST /categories HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`]: 400,
    [`POST /categories HTTP/1.1\r\nhost: ${host}\r\ncontent-length: -1\r\n\r\n`]: 400,
    [`POST /categories HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n`]: 400,
    [`GET /healthz HTTP/1.1\r\nhost: ${host}\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`]: 431,
  };
  for (const [bytes, status] of Object.entries(expected)) {
    assertError(await exchange(baseUrl, status, [bytes]), bytes.slice(0, 100));
  }
});

claim(
  ['D1 common headers'],
  'X-Request-Id is the one that was sent when it is a plain one, else new each time',
  async ({ expect }) => {
    const idFor = async (sent?: string) => {
      const asked = sent === undefined ? {} : { headers: { 'x-request-id': sent } };
      return (await expect(200, 'GET', '/healthz', asked)).headers.get('x-request-id') ?? '';
    };
    const mine = randomUUID();
    assert.equal(await idFor(mine), mine);
    const others = [
      await idFor(),
      await idFor(),
      await idFor('a b'),
      await idFor('<script>'),
      await idFor('x'.repeat(2000)),
    ];
    assert.equal(new Set(others).size, others.length);
    for (const id of others) assert.match(id, /^[\w.:-]{1,128}$/);
  },
);

claim(
  ['D1 healthz', 'D1 readyz', '1.6 components', '4.1 healthz', '4.1 readyz'],
  'the two probes answer with these very bodies',
  async ({ ask, get }) => {
    assert.deepEqual(await get('/healthz'), { status: 'ok' });
    const components = { database: 'ok', object_store: 'ok', message_queue: 'ok' };
    // On a busy machine a dependency may briefly be slow.
    const isReady = async () => (await ask('GET', '/readyz')).status === 200;
    for (let tries = 0; tries < 20 && !(await isReady()); tries += 1) await sleep(500);
    assert.deepEqual(await get('/readyz'), { ready: true, components });
  },
);

claim(
  ['D1 version', '9 version', 'D0 described'],
  'the description is OpenAPI 3.1 of version 1.0.0',
  async (client) => {
    const { openapi, info } = await readDescription(client);
    assert.match(openapi, /^3\.1\./);
    assert.equal(info.version, '1.0.0');
  },
);

claim(
  ['7 Error', '7 422 body'],
  'errors are JSON in UTF-8, and say what they say in few words',
  async ({ expect }) => {
    for (const answer of [
      await expect(400, 'GET', '/categories/x'),
      await expect(404, 'GET', `/categories/${randomUUID()}`),
      await expect(422, 'POST', '/categories', { json: { code: newCode() } }),
    ]) {
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json(?:; charset=utf-8)?$/);
      assert.ok(answer.text.length < 200, answer.text);
      assert.ok(!/\bat \S+:\d+|node_modules|\.ts\b|select |postgres/i.test(answer.text), answer.text);
    }
  },
);

claim(['9 paths'], 'no path carries a version', async (client) => {
  const paths = Object.keys((await readDescription(client)).paths);
  assert.ok(paths.includes('/landscape/runs'));
  for (const path of paths) assert.doesNotMatch(path, /\/v?\d/);
  await client.expect(404, 'GET', '/v1/datasets');
});

checkedElsewhere('test/http/health.test.ts', {
  '/readyz says so, routes are 503, and /healthz goes on': ['7 503', 'D1 503', 'D1 readyz'],
  'names the component that fails or does not answer, and never says why': [
    '7 backend text',
    'D1 readyz',
    '7 503',
    '4.1 readyz',
    '4.1 unavailable',
  ],
});
checkedElsewhere('test/http/store-away.test.ts', {
  'makes an upload 503, which leaves no row': ['D1 503'],
});
checkedElsewhere('test/http/documented-statuses.test.ts', {
  'every failure is told in one word, and nothing of how or where': ['D1 500'],
});
checkedElsewhere('test/http/edge/edge-limits.test.ts', {
  'of exactly the limit is stored; of a byte more, without a length, it is 413 and leaves nothing': [
    'D1 413 counted',
    '8 body configured',
    'D1 413 nothing stored',
  ],
  'takes one of exactly the limit, and answers 413 to one of a byte more, however it is framed': [
    'D1 413 whole body',
    '8 body configured',
    'D1 16 MiB',
  ],
});
