import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ClientConfig } from 'pg';
import { withTimeout } from '../../../src/lib/concurrency/with-timeout.ts';
import { insertPendingDatasets } from '../../support/geo/rasters.ts';
import { eventually } from '../../support/processes.ts';
import { openTcpProxy } from '../../support/ports.ts';
import { neverMs, openWaiters, present, type TestWaiters } from '../../support/http/waiters.ts';

/** The sweep runs every second; a poll that only the sweep answers ends long before its minute is over. */
const generousMs = 20_000;

async function endListening({ database }: TestWaiters): Promise<number> {
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'steppe-listener' and datname = current_database()`,
  );
  return rowCount ?? 0;
}

async function changeWhileWaitedFor(waiters: TestWaiters, ids: readonly string[]): Promise<void> {
  const answers = ids.map(
    async (id) => await waiters.wait(id, { current: 'pending', waitSeconds: 60, answer: present }),
  );
  await eventually('all wait', async () => waiters.size === ids.length);
  for (const id of ids) await waiters.setStatus(id, 'processing');
  const told = await withTimeout(generousMs, Promise.all(answers));
  assert.deepEqual(new Set(told.map((state) => state?.status)), new Set(['processing']));
  assert.equal(waiters.size, 0);
}

test('waiters are answered although the listening connection is ended again and again', async () => {
  await using waiters = await openWaiters();
  for (let round = 0; round < 5; round += 1) {
    const ids = await insertPendingDatasets(waiters.database.pool, 20);
    const answers = changeWhileWaitedFor(waiters, ids);
    await endListening(waiters);
    await answers;
  }
});

test('what was changed without a listener is told as soon as there is one again, without a sweep in time', async () => {
  await using waiters = await openWaiters({ sweepMs: neverMs });
  const [id = ''] = await insertPendingDatasets(waiters.database.pool, 1);
  const answer = waiters.wait(id, { current: 'pending', waitSeconds: 60, answer: present });
  await eventually('it waits', async () => waiters.size === 1);
  assert.equal(await endListening(waiters), 1);
  await waiters.setStatus(id, 'processing');
  assert.equal((await withTimeout(generousMs, answer))?.status, 'processing');
});

test('a listening connection that died in silence keeps no client waiting, and another takes its place', async () => {
  await using proxy = await openTcpProxy();
  const listenBy = (target: ClientConfig): ClientConfig => {
    proxy.lead(join(String(target.host), '.s.PGSQL.5432'));
    return { ...target, host: '127.0.0.1', port: proxy.port };
  };
  await using waiters = await openWaiters({ listenBy });
  assert.equal(proxy.connections, 1);
  proxy.freeze();
  await changeWhileWaitedFor(waiters, await insertPendingDatasets(waiters.database.pool, 20));
  proxy.thaw();
  await eventually('the heartbeat misses its answer', async () => proxy.connections === 2, 60);
});
