import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { startTestApp, type TestApp } from '../support/app.ts';
import { send } from '../support/datasets.ts';
import { insertPendingDatasets } from '../support/pending-datasets.ts';
import { eventually } from '../support/processes.ts';
import { openSocket, request } from '../support/raw-http.ts';

let app: TestApp;
let ids: readonly string[] = [];
before(async () => {
  app = await startTestApp();
  ids = await insertPendingDatasets(app.services.pool, 20);
});
after(async () => await app.close());

const waiting = (): number => app.services.statusWaiters.size;

test('of clients that come and go, at whatever moment, nothing is left', async () => {
  const { server } = app.app;
  const connections = async (): Promise<number> =>
    await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  const crowd = 300;
  for (let round = 0; round < 5; round += 1) {
    const sockets = await Promise.all(Array.from({ length: crowd }, async () => await openSocket(app.port)));
    const isPatient = round % 2 === 0;
    await Promise.all(
      sockets.map(async (socket, index) => {
        const path = `/datasets/${ids[index % ids.length]}/status?current=pending&wait=60`;
        socket.write(request('GET', path, {}));
        if (isPatient) return;
        await delay(randomInt(30)); // before, while or after its question is looked at
        socket.resetAndDestroy();
      }),
    );
    if (isPatient) await eventually('all wait', async () => waiting() === crowd);
    for (const socket of sockets) socket.destroy();
    await eventually('nobody waits', async () => waiting() === 0);
    await eventually('no connection is left', async () => (await connections()) === 0);
  }
});

test('however many ask at the same time, a few reads serve them all', async () => {
  const crowd = 300;
  const { db, pool } = app.services;
  let reads = 0;
  const count = (): void => void (reads += 1);
  pool.on('acquire', count);
  const ask = async (_: unknown, index: number) =>
    await send<{ status: string }>(app, `/datasets/${ids[index % ids.length]}/status?current=ready&wait=60`);
  // Nobody can read while the table is locked, so all have asked before one is answered.
  const { answers } = await db.transaction().execute(async (trx) => {
    await sql`lock table datasets in access exclusive mode`.execute(trx);
    const asked = Promise.all(Array.from({ length: crowd }, ask));
    await eventually('all have asked', async () => waiting() === crowd);
    return { answers: asked };
  });
  const told = await answers;
  pool.off('acquire', count);
  assert.deepEqual(new Set(told.map(({ body }) => body.status)), new Set(['pending']));
  // The lock, the read that it held up, the one that all others share, and a sweep each second.
  assert.ok(reads < crowd / 10, `${reads} reads`);
});
