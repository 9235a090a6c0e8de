import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openSocket } from '../../../test/support/raw-http.ts';
import { createSlowBodyGuard } from './slow-body.ts';

const pace = { checkEveryMs: 20, firstByteMs: 300, windowMs: 300, minBytesPerWindow: 100, maxMs: 60_000 };
const head = 'POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\n';

let cut: IncomingMessage[] = [];
let stop: () => void = () => undefined;
let port = 0;

beforeEach(async () => {
  cut = [];
  const guard = createSlowBodyGuard((request) => {
    cut.push(request);
    request.destroy();
  }, pace);
  const server = createServer((request) => {
    request.on('error', () => undefined).resume();
  });
  server.on('request', guard.watch);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  stop = () => {
    guard.close();
    server.close();
    server.closeAllConnections();
  };
});
afterEach(() => stop());

async function untilCut(): Promise<void> {
  for (let tries = 0; tries < 500 && cut.length === 0; tries += 1) await delay(20);
}

test('a body that never begins is cut', async () => {
  const socket = await openSocket(port);
  socket.write(head);
  await untilCut();
  assert.equal(cut.length, 1);
});

test('a body that trickles in is cut', async () => {
  const socket = await openSocket(port);
  socket.write(head);
  const trickle = setInterval(() => socket.write('x'), 50);
  await untilCut();
  clearInterval(trickle);
  assert.equal(cut.length, 1);
});

test('a body that keeps its pace is left alone for longer than any window', async () => {
  const socket = await openSocket(port);
  socket.write(head);
  const flow = setInterval(() => socket.write('x'.repeat(500)), 20);
  await delay(1500);
  clearInterval(flow);
  assert.equal(cut.length, 0);
  socket.destroy();
});

test('a request without a body is not watched', async () => {
  const socket = await openSocket(port);
  socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
  await delay(1000);
  assert.equal(cut.length, 0);
  socket.destroy();
});
