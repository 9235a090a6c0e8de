import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Fastify from 'fastify';
import { openSocket, request } from '../../../test/support/raw-http.ts';
import { MiB } from '../../common/units.ts';
import { addStallGuard } from './stall-guard.ts';

const stallMs = 3000;
const chunk = Buffer.alloc(MiB);
const app = Fastify();
let closed: readonly Promise<unknown>[] = [];
let port = 0;

before(async () => {
  addStallGuard(app, stallMs);
  app.get('/endless', async (_request, reply) => {
    const source = new Readable({ read: () => void source.push(chunk) });
    closed = [...closed, once(source, 'close')];
    return await reply.send(source);
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
after(async () => await app.close());

test('who does not read is given up, and what was held for it is free', async () => {
  const socket = await openSocket(port);
  socket.pause().write(request('GET', '/endless', {}));
  while (closed.length === 0) await delay(20);
  const outcome = await Promise.race([
    closed[0]?.then(() => 'closed'),
    delay(60_000, 'held', { ref: false }),
  ]);
  assert.equal(outcome, 'closed');
  socket.destroy();
});

test('who reads slowly is left alone', async () => {
  const socket = await openSocket(port);
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
