import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, until } from '../../test/support/jobs.ts';
import { openTestWorkers } from '../../test/support/workers.ts';

const { db, store, start, inState } = await openTestWorkers(await openTestDatabase());

test('claims that a stalled database answers late, all at once, fill no more slots than there are', async () => {
  let [atOnce, mostAtOnce] = [0, 0];
  const run = async (): Promise<void> => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await delay(100);
    atOnce -= 1;
  };
  const all = await Array.fromAsync({ length: 5 }, async () => await addDataset(db, store));

  const stalled = Promise.withResolvers<void>();
  const stalling = Promise.withResolvers<void>();
  const stall = db.transaction().execute(async (trx) => {
    await sql`lock table jobs in access exclusive mode`.execute(trx);
    stalling.resolve();
    await stalled.promise;
  });
  await stalling.promise;
  const { events } = start(run, { pollEveryMs: 20, answerWithinMs: 50 });
  const gaveUpClaiming = () => events.filter(({ message }) => /will try this step/.test(message)).length;
  await until(() => gaveUpClaiming() >= 9); // three polls, each with three steps that ask for jobs
  stalled.resolve();
  await stall;

  for (const { jobId } of all) await inState(jobId, 'done');
  assert.equal(mostAtOnce, 1);
});
