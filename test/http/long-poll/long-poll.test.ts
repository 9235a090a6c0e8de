import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { startTestApp } from '../../support/app.ts';
import { insertCategory, send, upload } from '../../support/datasets.ts';
import { insertPendingDatasets } from '../../support/geo/rasters.ts';
import { eventually } from '../../support/processes.ts';
import { openSocket, request } from '../../support/http/raw-http.ts';
import { closeAfterTests } from '../../support/for-tests.ts';

const app = await closeAfterTests(startTestApp({ maxWaiters: 300 }));
const ids = await insertPendingDatasets(app.services.pool, 20);

const waiting = (): number => app.services.statusWaiters.size;

// This test comes first, because other tests leave connections for reuse.
test('of clients that come and go, at whatever moment, nothing is left', async () => {
  const { server } = app.app;
  const connections = async (): Promise<number> =>
    await new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
  const crowd = 100;
  for (let round = 0; round < 5; round += 1) {
    const sockets = await Promise.all(Array.from({ length: crowd }, async () => await openSocket(app.port)));
    const isPatient = round % 2 === 0;
    await Promise.all(
      sockets.map(async (socket, index) => {
        const path = `/datasets/${ids[index % ids.length]}/status?current=pending&wait=60`;
        socket.write(request('GET', path, {}));
        if (isPatient) return;
        await delay(randomInt(30)); // before, during or after the processing of its request
        socket.resetAndDestroy();
      }),
    );
    if (isPatient) await eventually('all wait', async () => waiting() === crowd);
    for (const socket of sockets) socket.destroy();
    await eventually('no request waits', async () => waiting() === 0);
    await eventually('no connection is left', async () => (await connections()) === 0);
  }
});

/** Statuses in the answers about a new dataset that changes to `processing` while this many clients wait for that. */
async function toldOfChange(waiters: number, late?: () => Promise<void>): Promise<ReadonlySet<string>> {
  const { pool, db } = app.services;
  const [id = ''] = await insertPendingDatasets(pool, 1);
  const path = `/datasets/${id}/status?current=pending&wait=60`;
  const answers = Array.from({ length: waiters }, async () => await send<{ status: string }>(app, path));
  await eventually('all wait', async () => waiting() === waiters);
  if (late !== undefined) await late();
  await db.updateTable('datasets').set({ status: 'processing' }).where('id', '=', id).execute();
  return new Set((await Promise.all(answers)).map(({ body }) => body.status));
}

test('waiters above the cap are answered at once, and those below it all hear of the change', async () => {
  const told = await toldOfChange(300, async () => {
    const path = `/datasets/${ids[0]}/status?current=pending&wait=60`;
    assert.equal((await send<{ status: string }>(app, path)).body.status, 'pending');
  });
  assert.deepEqual(told, new Set(['processing']));
  assert.equal(waiting(), 0);
});

test('without a notification, the sweep finds the change', async () => {
  await app.services.pool.query('alter table datasets disable trigger datasets_announce_status');
  assert.deepEqual(await toldOfChange(1), new Set(['processing']));
  await app.services.pool.query('alter table datasets enable trigger datasets_announce_status');
});

test('however many ask at the same time, a few reads serve them all', async () => {
  const crowd = 300;
  const { db, pool } = app.services;
  let reads = 0;
  const count = (): void => void (reads += 1);
  pool.on('acquire', count);
  const ask = async (_: unknown, index: number) =>
    await send<{ status: string }>(app, `/datasets/${ids[index % ids.length]}/status?current=ready&wait=60`);
  // No request can read while the table is locked, so that all have asked before one is answered.
  const { answers } = await db.transaction().execute(async (trx) => {
    await sql`lock table datasets in access exclusive mode`.execute(trx);
    const asked = Promise.all(Array.from({ length: crowd }, ask));
    await eventually('all have asked', async () => waiting() === crowd);
    return { answers: asked };
  });
  const told = await answers;
  pool.off('acquire', count);
  assert.deepEqual(new Set(told.map(({ body }) => body.status)), new Set(['pending']));
  // The lock, the read that it blocked, the read that all others share, and a sweep every second.
  assert.ok(reads < crowd / 10, `${reads} reads`);
});

test('a service that shuts down answers every waiter with the status as it is', async () => {
  await using draining = await startTestApp();
  const { id: waited } = await upload(draining, {
    category_id: await insertCategory(draining.services.db),
  });
  const answers = Array.from({ length: 5 }, async () => {
    return await send<{ status: string }>(draining, `/datasets/${waited}/status?current=pending&wait=60`);
  });
  await eventually('all wait', async () => draining.services.statusWaiters.size === 5);
  draining.drain();
  for (const { status, body, headers } of await Promise.all(answers)) {
    assert.deepEqual([status, body.status, headers.get('connection')], [200, 'pending', 'close']);
  }
});
