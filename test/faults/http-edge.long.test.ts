import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { MiB } from '../../src/lib/units.ts';
import { createClient } from '../support/client.ts';
import { eventually, failedWith } from '../support/processes.ts';
import { exchangeEagerly, openSocket } from '../support/http/raw-http.ts';
import { startService } from '../support/service.ts';
import { closeAfterTests } from '../support/for-tests.ts';

const maxUploadBytes = 300 * MiB;
/** Bodies over the limit; the answer to each must arrive before the connection ends. */
const refusals = 100;
/** Clients that disconnect in the middle of an upload. */
const leavers = 200;
const form = 'content-type: multipart/form-data; boundary=edge\r\n';
const field = (name: string, value: string): string =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = `--edge\r\nContent-Disposition: form-data; name="file"; filename="x.tif"\r\n\r\nII*\0`;

const service = await closeAfterTests(
  startService({ env: { HTTP_MAX_UPLOAD_BYTES: String(maxUploadBytes) } }),
);
const port = Number(new URL(service.baseUrl).port);
const category = await createClient(service.baseUrl).createCategory('edge');

const head = (...lines: readonly string[]): string =>
  `POST /datasets HTTP/1.1\r\nhost: localhost:${port}\r\n${form}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
const usualFields = (): string => field('file_type', 'raster') + field('category_id', category);

/** Asserts that the service is alive and answers; on a busy machine full readiness may take longer than `/readyz` waits. */
async function assertWell(): Promise<void> {
  assert.equal((await fetch(`${service.baseUrl}/healthz`)).status, 200);
  await eventually('/readyz is 200', async () => (await fetch(`${service.baseUrl}/readyz`)).status === 200);
}

/** Number of open descriptors of the process that serves HTTP. */
async function openDescriptors(): Promise<number> {
  return (await readdir(`/proc/${service.pid}/fd`)).length;
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Uploaded files in the object store, including unfinished ones. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(service.dataDir, 'objects', 'originals'), {
    recursive: true,
    withFileTypes: true,
  }).catch((error: unknown) => {
    if (failedWith(error, 'ENOENT')) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function totalDatasets(): Promise<number> {
  const { total }: { total: number } = JSON.parse(await (await fetch(`${service.baseUrl}/datasets`)).text());
  return total;
}

async function nothingIsLeft(): Promise<void> {
  await eventually('an empty store', async () => (await storedFiles()).length === 0);
  assert.equal(await totalDatasets(), 0);
}

/** Reads until the server ends the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
  if (!socket.destroyed && !socket.readableEnded)
    await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

describe('a body over the limit', () => {
  test(`is 413 for a client that writes before it reads, ${refusals} times of ${refusals}`, async () => {
    const totalBytes = maxUploadBytes + MiB;
    const byLength = head(`content-length: ${totalBytes}`);
    const outcomes: number[] = [];
    for (let round = 0; round < refusals; round += 1) {
      const answer = await exchangeEagerly(port, byLength, 8 * MiB);
      outcomes.push(Number(answer.slice(9, 12)));
    }
    assert.deepEqual(
      outcomes,
      Array.from({ length: refusals }, () => 413),
    );
    await nothingIsLeft();
  });

  test(`is 413 in chunks too, for JSON, ${refusals} times of ${refusals}`, async () => {
    const size = 64 * 1024;
    const chunk = Buffer.concat([
      Buffer.from(`${size.toString(16)}\r\n`),
      Buffer.alloc(size, 32),
      Buffer.from('\r\n'),
    ]);
    const jsonHead = `POST /categories HTTP/1.1\r\nhost: localhost:${port}\r\ntransfer-encoding: chunked\r\n\r\n`;
    for (let round = 0; round < refusals; round += 1) {
      const answer = await exchangeEagerly(port, jsonHead, 18 * MiB, chunk);
      assert.match(answer, /^HTTP\/1\.1 413 .*"error"/s, `round ${round}`);
    }
  });

  test('is 413 in chunks for a form, and nothing of it stays', async () => {
    const size = MiB;
    const chunk = Buffer.concat([
      Buffer.from(`${size.toString(16)}\r\n`),
      Buffer.alloc(size),
      Buffer.from('\r\n'),
    ]);
    const start = fileHead.length.toString(16);
    const chunkedHead = `${head('transfer-encoding: chunked')}${start}\r\n${fileHead}\r\n`;
    assert.match(
      await exchangeEagerly(port, chunkedHead, maxUploadBytes + 8 * MiB, chunk),
      /^HTTP\/1\.1 413 /,
    );
    await nothingIsLeft();
  });
});

test(`clients that go away at any byte, ${leavers} of them, leave no row, no object and no descriptor`, async () => {
  await assertWell();
  const before = await openDescriptors();
  const body = Buffer.concat([Buffer.from(usualFields() + fileHead), Buffer.alloc(2 * MiB)]);
  for (let round = 0; round < leavers; round += 1) {
    const socket = await openSocket(port);
    socket.write(head(`content-length: ${body.length + 10}`));
    socket.write(body.subarray(0, Math.floor(Math.random() * body.length)));
    await delay(Math.random() * 8);
    if (round % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
  }
  await nothingIsLeft();
  await eventually('as few descriptors as before', async () => (await openDescriptors()) <= before + 5);
  await assertWell();
});

test('a form of fifty megabytes of empty lines, parts or headers fills no memory', async () => {
  const before = await residentBytes();
  let most = before;
  for (const unit of ['\r\n'.repeat(32_768), field('x', '').repeat(1000), `${fileHead}\r\n`.repeat(1000)]) {
    const socket = await openSocket(port);
    const answer = readToEnd(socket);
    const units = Math.floor((50 * MiB) / unit.length);
    const end = '--edge--\r\n';
    socket.write(head(`content-length: ${units * unit.length + end.length}`, 'connection: close'));
    for (let sent = 0; sent < units; sent += 1) {
      if (!socket.write(unit)) await once(socket, 'drain');
      if (sent % 50 === 0) most = Math.max(most, await residentBytes());
    }
    socket.write(end);
    assert.match(await answer, /^HTTP\/1\.1 422 /);
  }
  assert.ok(most - before < 100 * MiB, `${(most - before) / MiB} MiB`);
  await nothingIsLeft();
});

test(
  'clients that dawdle are cut off, and clients that make progress are not',
  { timeout: 300_000 },
  async () => {
    const timers: NodeJS.Timeout[] = [];
    const every = (ms: number, work: () => void): void => void timers.push(setInterval(work, ms));
    const many = async (count: number): Promise<readonly Socket[]> =>
      await Promise.all(Array.from({ length: count }, async () => await openSocket(port)));

    const silent = await many(100);
    const slowHeads = await many(300);
    for (const socket of slowHeads) {
      socket.write(`GET /healthz HTTP/1.1\r\nhost: localhost:${port}\r\nx: `);
      every(2000, () => void (socket.writable && socket.write('x')));
    }
    const slowBodies = await many(100);
    for (const socket of slowBodies) {
      socket.write(head('content-length: 1000000') + fileHead);
      every(1000, () => void (socket.writable && socket.write('x')));
    }
    // A valid upload over a slow line, which takes longer than each time limit for the others.
    const thinLine = await openSocket(port);
    const slices = 45;
    const slice = Buffer.alloc(40 * 1024);
    const start = usualFields() + fileHead;
    const end = '\r\n--edge--\r\n';
    thinLine.write(
      head(`content-length: ${start.length + slices * slice.length + end.length}`, 'connection: close') +
        start,
    );
    const uploaded = readToEnd(thinLine);
    const uploading = (async () => {
      for (let sent = 0; sent < slices; sent += 1) {
        await delay(1000);
        thinLine.write(slice);
      }
      thinLine.write(end);
    })();

    const ends = await Promise.all([...silent, ...slowHeads, ...slowBodies].map(readToEnd));
    for (const text of ends) assert.match(text, /^HTTP\/1\.1 408 .*nosniff.*"error"/is);
    for (const timer of timers) clearInterval(timer);
    await uploading;
    assert.match(await uploaded, /^HTTP\/1\.1 201 /);
    await assertWell();
  },
);

test('two hundred clients that ask for a large file and do not read it hold little, and no other client up', async () => {
  const client = createClient(service.baseUrl);
  const id = await client.upload(
    category,
    'raster',
    new File(['II*\0', Buffer.alloc(64 * MiB)], 'large.tif'),
  );
  const before = await residentBytes();
  const sockets = await Promise.all(Array.from({ length: 200 }, async () => await openSocket(port)));
  for (const socket of sockets) {
    socket.pause().write(`GET /datasets/${id}/download HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);
  }
  await delay(3000);
  assert.ok((await residentBytes()) - before < 200 * MiB);
  await assertWell();
  for (const socket of sockets) socket.destroy();
});

test('eight thousand idle connections leave room for one more, and for all when they have gone', async () => {
  const sockets: Socket[] = [];
  while (sockets.length < 8000) {
    sockets.push(...(await Promise.all(Array.from({ length: 500 }, async () => await openSocket(port)))));
  }
  await assertWell();
  for (const socket of sockets) socket.destroy();
  await eventually('few descriptors', async () => (await openDescriptors()) < 500);
  await assertWell();
});

test('a service without descriptors to spare refuses connections, and recovers when they are given back', async () => {
  await using small = await startService({
    command: ['sh', '-c', 'ulimit -n 256; exec "$0" src/main.ts serve', process.execPath],
  });
  const smallPort = Number(new URL(small.baseUrl).port);
  const sockets = await Promise.all(Array.from({ length: 600 }, async () => await openSocket(smallPort)));
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await eventually(
    'connections that are refused',
    async () =>
      sockets.filter((socket) => socket.destroyed || socket.readableEnded || socket.closed).length > 0 ||
      sockets.some((socket) => socket.readyState !== 'open'),
  );
  for (const socket of sockets) socket.destroy();
  await eventually('an answer', async () => {
    const response = await fetch(`${small.baseUrl}/readyz`).catch(() => undefined);
    return response?.status === 200;
  });
});
