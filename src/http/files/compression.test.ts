import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { z } from 'zod';
import { jsonResponse } from '../openapi/responses.ts';
import type { App } from '../request/schemas.ts';
import { contentOf, json, sendAnswer } from '../answer/answer.ts';
import { addCompression } from './compression.ts';

const text = JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => `unit ${index}`) });
const etag = '"abc"';

function createApp(): App {
  const app: App = Fastify();
  addCompression(app);
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const schema = { response: { 200: jsonResponse('It', z.unknown()) } };
  app.get('/text', { schema }, async (request, reply) => {
    const open = async () => contentOf(Buffer.from(text), { 'content-type': json });
    return await sendAnswer(request, reply, { etag, open });
  });
  app.get('/short', async () => ({ a: 1 }));
  app.get(
    '/stream',
    async (_request, reply) => await reply.type('text/csv').send(Readable.from([text, text])),
  );
  app.get('/failing', async (_request, reply) => {
    async function* rows() {
      yield text;
      throw new Error('the database is away');
    }
    return await reply.type('text/csv').send(Readable.from(rows()));
  });
  app.get('/file', async (_request, reply) => {
    reply.headers({ 'accept-ranges': 'bytes', etag }).type('text/csv');
    return await reply.send(text);
  });
  return app;
}

const ask = async (
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' = 'GET',
) => await createApp().inject({ url, headers, method });
const gzip = { 'accept-encoding': 'gzip' };

test('text is compressed as the client accepts, and HEAD tells the same', async () => {
  const plain = await ask('/text');
  assert.deepEqual([plain.body, plain.headers.vary, plain.headers.etag], [text, 'Accept-Encoding', etag]);
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const packed = await ask('/text', { 'accept-encoding': encoding });
    assert.equal(packed.headers['content-encoding'], encoding);
    assert.equal(Number(packed.headers['content-length']), packed.rawPayload.length);
    assert.equal(unpack(packed.rawPayload).toString(), text);
    assert.match(String(packed.headers.etag), new RegExp(`^"abc-${encoding}-[0-9a-f]{4}"$`));
    const head = await ask('/text', { 'accept-encoding': encoding }, 'HEAD');
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary'])
      assert.equal(head.headers[name], packed.headers[name], name);
  }
});

test('a client that takes anything gets gzip', async () => {
  const { headers } = await ask('/text', { 'accept-encoding': '*' });
  assert.equal(headers['content-encoding'], 'gzip');
});

test('what is short, a file with ranges, or not accepted goes as it is', async () => {
  for (const [url, headers] of [
    ['/short', gzip],
    ['/file', gzip],
    ['/text', { 'accept-encoding': 'identity, gzip;q=0.1' }],
    ['/text', { 'accept-encoding': 'zstd' }],
  ] as const)
    assert.equal((await ask(url, headers)).headers['content-encoding'], undefined, url);
});

test('a stream is compressed as it comes, and a fault within it ends the answer', async (t) => {
  const { rawPayload, headers } = await ask('/stream', gzip);
  assert.equal(headers['content-length'], undefined);
  assert.equal(gunzipSync(rawPayload).toString(), text + text);
  const app = createApp();
  t.after(async () => await app.close());
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  await assert.rejects(async () => await (await fetch(`${address}/failing`, { headers: gzip })).text());
});

test('a copy is known in the encoding that would be sent, and wanted in any', async () => {
  const tag = String((await ask('/text', gzip)).headers.etag);
  const known = await ask('/text', { ...gzip, 'if-none-match': `"other", ${tag}` });
  assert.deepEqual([known.statusCode, known.headers.etag], [304, tag]);
  const plain = await ask('/text', { ...gzip, 'if-none-match': etag });
  assert.deepEqual([plain.statusCode, plain.headers.etag], [304, etag]);
  // A cache that holds gzip must not be told to send it to a client that does not accept it.
  assert.equal((await ask('/text', { 'if-none-match': tag })).statusCode, 200);
  assert.equal((await ask('/text', { 'accept-encoding': 'br', 'if-none-match': tag })).statusCode, 200);
  for (const headers of [gzip, {}])
    assert.equal((await ask('/text', { ...headers, 'if-match': tag })).statusCode, 200);
  assert.equal((await ask('/text', { 'if-match': tag.replace('abc', 'abd') })).statusCode, 412);
});
