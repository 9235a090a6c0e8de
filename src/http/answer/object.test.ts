import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { fastify } from 'fastify';
import { afterTests, closeAfterTests } from '../../../test/support/for-tests.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { sendCurrentObject } from './object.ts';

const store = await closeAfterTests(openTestStore());

/** A map in all its encodings, as a look-up returns it. */
const mapOf = (name: string) => ({
  key: `${name}/map`,
  encodedKeys: { gzip: `${name}/map.gz`, br: `${name}/map.br` },
  contentType: 'application/geo+json',
});
type SentMap = ReturnType<typeof mapOf>;
const keysOf = ({ key, encodedKeys: { gzip, br } }: SentMap): readonly string[] => [key, gzip, br];
const suffixes = { identity: '', gzip: '.gz', br: '.br' } as const;
const encodings = ['identity', 'gzip', 'br'] as const;

/** Stores objects whose content is their key. */
async function storeMap(map: SentMap): Promise<void> {
  for (const key of keysOf(map)) await store.put(key, Readable.from([Buffer.from(key)]));
}

/**
 * A server with one path. It sends the results of these look-ups in turn, then repeats the last one.
 * @param location of nginx, from which it sends files
 */
function serve(lookUps: readonly SentMap[], objectStore: ObjectStore = store, location?: string) {
  const left = [...lookUps];
  const lookUp = async () => (left.length > 1 ? left.shift() : left[0]) ?? assert.fail('nothing to look up');
  const app = fastify();
  afterTests(async () => await app.close());
  if (location !== undefined) app.decorate('filesLocation', location);
  app.get('/map', async (request, reply) => await sendCurrentObject(request, reply, objectStore, lookUp));
  return async (headers: Readonly<Record<string, string>>, method: 'GET' | 'HEAD' = 'GET') => {
    const answer = await app.inject({ method, url: '/map', headers });
    const { date: _, connection: __, ...rest } = answer.headers;
    return { status: answer.statusCode, headers: rest, text: answer.rawPayload.toString() };
  };
}

test('each form has its exact length and a strong ETag of its own, with HEAD too', async () => {
  const map = mapOf('whole');
  await storeMap(map);
  const ask = serve([map]);
  const etags = new Set<unknown>();
  for (const encoding of encodings) {
    const asked = { 'accept-encoding': encoding };
    const { status, headers, text } = await ask(asked);
    assert.deepEqual([status, text], [200, map.key + suffixes[encoding]]);
    assert.equal(headers['content-length'], String(text.length));
    assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
    assert.match(String(headers['etag']), /^"[0-9a-f]{32}"$/);
    assert.deepEqual(await ask(asked, 'HEAD'), { status, headers, text: '' });
    etags.add(headers['etag']);
  }
  assert.equal(etags.size, encodings.length);
});

test('a range is one of the object as it is, whatever the client accepts', async () => {
  const map = mapOf('ranges');
  await storeMap(map);
  const ask = serve([map]);
  const { status, headers, text } = await ask({ 'accept-encoding': 'br, gzip', range: 'bytes=7-9' });
  assert.deepEqual([status, text], [206, 'map']);
  assert.deepEqual([headers['content-range'], headers['content-encoding']], ['bytes 7-9/10', undefined]);
  assert.equal(headers['vary'], 'Accept-Encoding');
});

describe('a file that nginx offers to send', () => {
  const offer = { 'x-sendfile-type': 'X-Accel-Redirect' };
  const sender = async (name: string, change: Partial<ObjectStore> = {}) => {
    const map = mapOf(name);
    await storeMap(map);
    return { map, ask: serve([map], { ...store, ...change }, '/files/') };
  };

  for (const [title, headers] of [
    ['as a whole', {}],
    ['a range of it', { range: 'bytes=1-2' }],
    ['the end of it', { range: 'bytes=-3' }],
  ] as const)
    test(`is named instead of sent: ${title}`, async () => {
      const { map, ask } = await sender('named');
      const plain = await ask({});
      const { status, headers: sent, text } = await ask({ ...offer, ...headers });
      assert.deepEqual([status, text], [200, '']);
      const { 'accept-ranges': _, ...kept } = plain.headers;
      const named = { ...kept, 'content-length': '0', 'x-accel-redirect': `/files/${map.key}` };
      assert.deepEqual(sent, named);
    });

  for (const [title, headers, method] of [
    ['HEAD', {}, 'HEAD'],
    ['a condition of a range', { range: 'bytes=1-2', 'if-range': '"other"' }],
    ['a condition of a date', { 'if-modified-since': 'Tue, 01 Dec 2026 00:00:00 GMT' }],
    ['a condition of a version', { 'if-match': '*' }],
    ['several ranges', { range: 'bytes=1-2,4-5' }],
    ['a range that is none', { range: 'bytes=x' }],
    ['a range beyond the end', { range: 'bytes=100-' }],
    ['an encoded form', { 'accept-encoding': 'gzip' }],
  ] as const)
    test(`is answered as without the offer: ${title}`, async () => {
      const { ask } = await sender('own');
      assert.deepEqual(await ask({ ...offer, ...headers }, method), await ask(headers, method));
    });

  test('is sent if it does not lie in a folder of this machine, or another program offers in other words', async () => {
    const { map, ask } = await sender('elsewhere', { isFolder: false });
    const { ask: folder } = await sender('elsewhere');
    for (const { headers, text } of [
      await ask(offer),
      await folder({ 'x-sendfile-type': 'X-Sendfile' }),
      await serve([map])(offer),
    ])
      assert.deepEqual([text, headers['x-accel-redirect']], [map.key, undefined]);
    const reference = mapOf('references');
    await store.put(reference.key, Readable.from(['a file of another server']));
    const { text } = await serve([reference], store, '/files/')(offer);
    assert.equal(text, 'a file of another server');
  });
});

test('a form that the store has lost is not missed: the object is sent as it is', async () => {
  const map = mapOf('lost');
  await storeMap(map);
  await store.remove(map.encodedKeys.br);
  const ask = serve([map]);
  const plain = await ask({});
  assert.deepEqual([plain.status, plain.text], [200, map.key]);
  assert.deepEqual(await ask({ 'accept-encoding': 'br' }), plain);
});

for (const encoding of encodings) {
  for (const way of ['open', 'read'] as const) {
    test(`a map that vanishes before its first byte is sent is its successor, in ${encoding}, by ${way}`, async () => {
      const [old, successor] = [mapOf(`${encoding}-${way}-old`), mapOf(`${encoding}-${way}-new`)];
      await storeMap(old);
      await storeMap(successor);
      const asks: string[] = [];
      async function vanish(key: string): Promise<void> {
        asks.push(key);
        for (const each of keysOf(old)) await store.remove(each);
      }
      const unlessGone = async (key: string): Promise<void> => {
        await vanish(key);
        if ((await store.size(key)) === undefined) throw new ObjectMissing(key);
      };
      const vanishing: ObjectStore = {
        ...store,
        async open(key) {
          if (way === 'open') await vanish(key);
          const file = await store.open(key);
          if (file === undefined || way === 'open') return file;
          const fill: typeof file.fill = async (bytes, start) => {
            await unlessGone(key);
            await file.fill(bytes, start);
          };
          return { ...file, fill };
        },
        async read(key) {
          if (way === 'read') await unlessGone(key);
          return await store.read(key);
        },
      };
      const ask = serve([old, successor], vanishing);
      const asked = { 'accept-encoding': encoding };
      const sent = await ask(asked);
      const sentKey = successor.key + suffixes[encoding];
      assert.deepEqual([asks[0], asks.at(-1)], [old.key + suffixes[encoding], sentKey]);
      assert.deepEqual([sent.status, sent.text], [200, sentKey]);
      assert.deepEqual(await ask(asked), sent);
    });
  }
}
