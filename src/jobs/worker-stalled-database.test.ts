import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/support/database.ts';
import { addDataset, createRecordingLog, readJob, until } from '../../test/support/jobs.ts';
import { openListener } from '../database/listener.ts';
import { createPostgresMessageQueue } from '../message-queue/postgres.ts';
import { createDirectoryObjectStore } from '../object-store/directory.ts';
import type { JobHandler } from './handler.ts';
import { startWorker } from './worker.ts';

test('claims that a stalled database answers late, all at once, fill no more slots than there are', async () => {
  await using cleanup = new AsyncDisposableStack();
  const database = await openTestDatabase();
  cleanup.defer(async () => await database.close());
  const { db } = database;
  const listener = await openListener(database.target, { onError: () => undefined });
  cleanup.defer(async () => await listener.close());
  const folder = await mkdtemp(join(tmpdir(), 'steppe-stalled-'));
  cleanup.defer(async () => await rm(folder, { recursive: true }));
  const objectStore = createDirectoryObjectStore(join(folder, 'objects'));
  const { log, events } = createRecordingLog();
  const gaveUpClaiming = () => events.filter(({ message }) => /will try this step/.test(message)).length;
  let atOnce = 0;
  let mostAtOnce = 0;
  const handler: JobHandler = {
    async run() {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      await delay(100);
      atOnce -= 1;
    },
    fail: async () => undefined,
  };
  const all: Awaited<ReturnType<typeof addDataset>>[] = [];
  for (let count = 0; count < 5; count += 1) all.push(await addDataset(db, objectStore));

  const stalled = Promise.withResolvers<void>();
  const stalling = Promise.withResolvers<void>();
  const stall = db.transaction().execute(async (trx) => {
    await sql`lock table jobs in access exclusive mode`.execute(trx);
    stalling.resolve();
    await stalled.promise;
  });
  await stalling.promise;
  const worker = startWorker({
    db,
    objectStore,
    messageQueue: createPostgresMessageQueue(db, listener, () => undefined),
    handlers: { 'process-dataset': handler },
    concurrency: 1,
    scratchRoot: join(folder, 'scratch'),
    log,
    timing: { lookEveryMs: 20, answerWithinMs: 50 },
  });
  cleanup.defer(async () => await worker.stop());
  await until(() => gaveUpClaiming() >= 9); // three looks, each with three steps that ask for jobs
  stalled.resolve();
  await stall;

  for (const { jobId } of all) await until(async () => (await readJob(db, jobId)).state === 'done');
  assert.equal(mostAtOnce, 1);
});
