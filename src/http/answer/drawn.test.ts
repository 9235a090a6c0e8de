import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { after, test } from 'node:test';
import Fastify from 'fastify';
import { Problem } from '../../lib/errors.ts';
import { createDrawnAnswers, type DrawnBody } from './drawn.ts';

const app = Fastify();
after(() => app.close());
const answers = createDrawnAnswers({ maxKeptBytes: 10_000 });
let drawn: string[] = [];
let failure: Error | undefined;
for (const route of ['/tiles/:version/:size', '/thumbnails/:version/:size']) {
  app.get<{ Params: { version: string; size: string } }>(route, async (request, reply) => {
    const { version, size } = request.params;
    return await answers.send(request, reply, async () => ({
      parts: [version, size],
      async draw(): Promise<DrawnBody | undefined> {
        drawn.push(`${route.split('/')[1]} ${version} ${size}`);
        if (failure !== undefined) throw failure;
        if (size === '0') return undefined;
        return {
          contentType: 'text/plain',
          bytes: Buffer.from(version.repeat(Number(size))),
          headers: { 'x-tile-thinned': 'true' },
        };
      },
    }));
  });
}

/** Sends a request; returns the answer and what was drawn for it. */
async function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {},
) {
  drawn = [];
  const answer = await app.inject({ url, method, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, drawn };
}

test('what was drawn is sent again as it was, headers and all, and not drawn', async () => {
  const first = await ask('/tiles/a/3');
  assert.deepEqual([first.status, first.body, first.drawn], [200, 'aaa', ['tiles a 3']]);
  const second = await ask('/tiles/a/3');
  assert.deepEqual([second.status, second.body, second.drawn], [200, 'aaa', []]);
  for (const name of ['etag', 'content-type', 'content-length', 'x-tile-thinned']) {
    assert.equal(second.headers[name], first.headers[name], name);
  }
  assert.deepEqual((await ask('/tiles/a/3', { method: 'HEAD' })).drawn, []);
});

test('what a client has is 304, what it does not expect 412, and neither is drawn; HEAD has the headers alone', async () => {
  const head = await ask('/tiles/j/3', { method: 'HEAD' });
  const { etag = '', 'content-length': length } = head.headers;
  assert.deepEqual([head.status, head.body, String(length)], [200, '', '3']);
  assert.match(etag, /^"[\da-f]{32}"$/);
  for (const [version, headers, status] of [
    ['j', { 'if-none-match': `"other", W/${etag}` }, 304],
    ['k', { 'if-none-match': etag }, 200],
    ['l', { 'if-match': etag }, 412],
    ['j', { 'if-match': etag }, 200],
  ] as const) {
    const answer = await ask(`/tiles/${version}/3`, { headers });
    assert.deepEqual([answer.status, answer.drawn.length], [status, version === 'k' ? 1 : 0]);
    assert.notEqual(answer.headers.etag, undefined);
    if (status === 304) assert.equal(answer.body, '');
  }
});

test('another version, size or route is drawn, whatever its ETag', async () => {
  await ask('/tiles/b/3');
  assert.deepEqual((await ask('/tiles/c/3')).body, 'ccc');
  assert.deepEqual((await ask('/tiles/b/4')).body, 'bbbb');
  const thumbnail = await ask('/thumbnails/b/3');
  assert.deepEqual(thumbnail.drawn, ['thumbnails b 3']);
});

test('an answer without content is kept too, a failure is not', async () => {
  assert.deepEqual([(await ask('/tiles/d/0')).status, (await ask('/tiles/d/0')).drawn], [204, []]);
  failure = new Error('away');
  assert.equal((await ask('/tiles/e/3')).status, 500);
  failure = undefined;
  assert.deepEqual((await ask('/tiles/e/3')).body, 'eee');
});

test('no more is kept than may be', async () => {
  await ask('/tiles/f/3000');
  await ask('/tiles/g/3000');
  await ask('/tiles/h/3000');
  assert.deepEqual((await ask('/tiles/h/3000')).drawn, []);
  assert.deepEqual((await ask('/tiles/f/3000')).drawn, ['tiles f 3000']);
  await ask('/tiles/i/20000');
  assert.deepEqual((await ask('/tiles/i/20000')).drawn, ['tiles i 20000'], 'it is larger than all');
});

/** A route whose drawings the test completes one by one. */
function drawnByHand(name: string) {
  const drawings: PromiseWithResolvers<DrawnBody>[] = [];
  const begun = async (count: number) => {
    while (drawings.length < count) await nextTurn();
  };
  const server = Fastify();
  after(() => server.close());
  server.get('/', async (request, reply) => {
    return await answers.send(request, reply, async () => ({
      parts: [name],
      async draw() {
        const drawing = Promise.withResolvers<DrawnBody>();
        drawings.push(drawing);
        return await drawing.promise;
      },
    }));
  });
  return { server, drawings, begun };
}
const body: DrawnBody = { contentType: 'text/plain', bytes: Buffer.from('drawn') };

test('what twenty ask for at the same time is drawn once', async () => {
  const { server, drawings, begun } = drawnByHand('shared');
  const asked = Array.from({ length: 20 }, async () => await server.inject('/'));
  await begun(1);
  await sleep(50);
  drawings[0]?.resolve(body);
  assert.deepEqual(new Set((await Promise.all(asked)).map((answer) => answer.body)), new Set(['drawn']));
  assert.equal(drawings.length, 1);
});

test('a client that has spent its budget leaves the drawing to another one, a fault of the picture reaches all', async () => {
  const { server, drawings, begun } = drawnByHand('refused');
  const asked = Array.from({ length: 3 }, async () => (await server.inject('/')).statusCode);
  await begun(1);
  await sleep(50);
  drawings[0]?.reject(new Problem('too_many', 'wait'));
  await begun(2);
  drawings[1]?.reject(new Error('broken'));
  const statuses = await Promise.all(asked);
  assert.deepEqual(
    statuses.toSorted((one, other) => one - other),
    [429, 500, 500],
  );
  assert.equal(drawings.length, 2);
});

test('a client that has gone leaves the drawing to another one', async () => {
  const { server, drawings, begun } = drawnByHand('left');
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const leaving = new AbortController();
  const left = fetch(url, { signal: leaving.signal });
  await begun(1);
  const stays = fetch(url);
  await sleep(50);
  leaving.abort();
  await assert.rejects(left);
  await sleep(50);
  drawings[0]?.reject(new Error('the client has gone'));
  await begun(2);
  drawings[1]?.resolve(body);
  assert.equal(await (await stays).text(), 'drawn');
});
