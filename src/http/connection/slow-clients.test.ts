import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { openSocket, request } from '../../../test/support/http/raw-http.ts';
import { MiB } from '../../lib/units.ts';
import { addStallGuard, createSlowBodyGuard } from './slow-clients.ts';

const pace = { checkEveryMs: 20, firstByteMs: 300, windowMs: 300, minBytesPerWindow: 100, maxMs: 60_000 };
const head = 'POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\n';

/** A server with a guard, and the requests that the guard has ended. */
async function openGuarded() {
  const cut: IncomingMessage[] = [];
  const guard = createSlowBodyGuard((slow) => {
    cut.push(slow);
    slow.destroy();
  }, pace);
  const server = createServer((incoming) => {
    incoming.on('error', () => undefined).resume();
  });
  server.on('request', guard.watch).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    cut,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.dispose]() {
      guard.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

for (const [title, pause] of [
  ['never begins', 60_000],
  ['trickles in', 50],
] as const) {
  test(`a body that ${title} is cut`, async () => {
    using guarded = await openGuarded();
    const { cut, port } = guarded;
    const socket = await openSocket(port);
    socket.write(head);
    const trickle = setInterval(() => socket.write('x'), pause);
    for (let tries = 0; tries < 500 && cut.length === 0; tries += 1) await delay(20);
    clearInterval(trickle);
    assert.equal(cut.length, 1);
  });
}

test('a body that keeps its pace is left alone for longer than any window', async () => {
  using guarded = await openGuarded();
  const socket = await openSocket(guarded.port);
  socket.write(head);
  const flow = setInterval(() => socket.write('x'.repeat(500)), 20);
  await delay(1500);
  clearInterval(flow);
  assert.equal(guarded.cut.length, 0);
  socket.destroy();
});

test('a request without a body is not watched', async () => {
  using guarded = await openGuarded();
  const socket = await openSocket(guarded.port);
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
  await delay(1000);
  assert.equal(guarded.cut.length, 0);
  socket.destroy();
});

const stallMs = 3000;
const chunk = Buffer.alloc(MiB);
const app = Fastify();
let closed: readonly Promise<unknown>[] = [];
let endlessPort = 0;

before(async () => {
  addStallGuard(app, stallMs);
  app.get('/endless', async (_request, reply) => {
    const source = new Readable({ read: () => void source.push(chunk) });
    closed = [...closed, once(source, 'close')];
    return await reply.send(source);
  });
  endlessPort = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
after(async () => await app.close());

test('a client that does not read is given up, and what was held for it is free', async () => {
  const socket = await openSocket(endlessPort);
  socket.pause().write(request('GET', '/endless', {}));
  while (closed.length === 0) await delay(20);
  const outcome = await Promise.race([
    closed[0]?.then(() => 'closed'),
    delay(60_000, 'held', { ref: false }),
  ]);
  assert.equal(outcome, 'closed');
  socket.destroy();
});

test('a client that reads slowly is left alone', async () => {
  const socket = await openSocket(endlessPort);
  let received = 0;
  let isClosed = false;
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  socket.once('close', () => void (isClosed = true));
  socket.write(request('GET', '/endless', {}));
  await delay(3 * stallMs);
  assert.ok(received > 0 && !isClosed);
  socket.destroy();
});
