import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { withTimeout } from '../../../src/lib/concurrency/with-timeout.ts';
import { insertPendingDatasets } from '../../support/geo/rasters.ts';
import { createAnswer, neverMs, openWaiters, present } from '../../support/http/waiters.ts';

const lanes = 50;
const trialsPerLane = 80;
/** Enough for a busy machine; a poll that is not woken waits three times as long. */
const generousMs = 20_000;

test('no change is missed, whether it comes before, while or after the status is read', async () => {
  await using waiters = await openWaiters({ sweepMs: neverMs });
  const ids = await insertPendingDatasets(waiters.database.pool, lanes * trialsPerLane);
  const told = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const statuses: (string | undefined)[] = [];
      for (const id of ids.slice(lane * trialsPerLane, (lane + 1) * trialsPerLane)) {
        const answer = delay(randomInt(4)).then(
          async () => await waiters.wait(id, { current: 'pending', waitSeconds: 60, answer: present }),
        );
        await delay(randomInt(4));
        await waiters.setStatus(id, 'processing');
        statuses.push((await withTimeout(generousMs, answer))?.status);
      }
      return statuses;
    }),
  );
  assert.equal(told.flat().filter((status) => status === 'processing').length, lanes * trialsPerLane);
  assert.equal(waiters.size, 0);
});

test('notifications of past statuses answer no waiter', async () => {
  await using waiters = await openWaiters();
  const [id = ''] = await insertPendingDatasets(waiters.database.pool, 1);
  const statuses: (string | undefined)[] = [];
  const answer = waiters.wait(id, { current: 'pending', waitSeconds: 60, answer: present });
  const noted = answer.then((state) => statuses.push(state?.status));
  for (const stale of ['ready', 'deleted']) {
    await sql`select pg_notify('dataset_status', ${`${id} ${stale}`})`.execute(waiters.database.db);
  }
  await delay(500);
  assert.deepEqual([statuses, waiters.size], [[], 1]);
  await waiters.setStatus(id, 'processing');
  await withTimeout(generousMs, noted);
  assert.deepEqual([statuses, waiters.size], [['processing'], 0]);
});

test('a client that has gone before its question is looked at does not wait', async () => {
  await using waiters = await openWaiters();
  const [id = ''] = await insertPendingDatasets(waiters.database.pool, 1);
  const gone = createAnswer();
  gone.destroy();
  const waiting = waiters.wait(id, { current: 'pending', waitSeconds: 60, answer: gone });
  assert.equal(waiters.size, 0);
  assert.equal((await withTimeout(generousMs, waiting))?.status, 'pending');
});
