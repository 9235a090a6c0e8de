import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { connect, TimeoutError } from '@nats-io/transport-node';
import { enqueueJob } from '../../src/jobs/enqueue.ts';
import { readNatsUrl } from '../../src/message-queue/nats/address.ts';
import { openNatsMessageQueue } from '../../src/message-queue/nats/queue.ts';
import { openTestDatabase } from '../support/database.ts';
import { closeAfterTests } from '../support/for-tests.ts';
import { until } from '../support/jobs.ts';
import { startNats } from '../support/services/nats.ts';
import { openTestWorkers } from '../support/workers.ts';

const hour = 3_600_000;
const nats = await closeAfterTests(startNats());
const queue = await closeAfterTests(openNatsMessageQueue(readNatsUrl(nats.url), () => undefined));
const { db, start, inState } = await openTestWorkers(await openTestDatabase(), queue);

async function addJobs(count: number): Promise<readonly string[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const jobId = await db
        .transaction()
        .execute(async (trx) => await enqueueJob(trx, 'process-dataset', randomUUID()));
      await queue.notify(jobId, 'datasets');
      return jobId;
    }),
  );
}

describe('jobs that NATS wakes workers for', () => {
  it('are begun by the wake-up alone', async () => {
    start(async () => undefined, { lookEveryMs: hour, concurrency: 2 });
    await until(async () => await isHeard());
    for (const jobId of await addJobs(20)) await inState(jobId, 'done');
  });

  it('are all done when five hundred wake-ups are lost', async () => {
    const jobs = await addJobs(500);
    const done = new Set<string>();
    for (let n = 0; n < 2; n += 1) start(async ({ jobId }) => void done.add(jobId), { concurrency: 4 });
    for (const jobId of jobs) await inState(jobId, 'done');
    assert.deepEqual(done, new Set(jobs));
  });

  it('are done while the server is away, and by wake-ups again when it is back', async () => {
    start(async () => undefined, { lookEveryMs: 200 });
    await nats.process.stop('SIGKILL');
    const [away = ''] = await addJobs(1);
    await inState(away, 'done');
    await nats.restart();
    await until(async () => {
      await queue.check().catch(() => undefined);
      return await isHeard().catch(() => false);
    });
  });
});

/** Returns whether a worker hears wake-ups. */
async function isHeard(): Promise<boolean> {
  const connection = await connect({ servers: nats.url, reconnect: false });
  try {
    await connection.request('steppe.jobs.datasets', '', { timeout: 200 });
    return true;
  } catch (error) {
    return error instanceof TimeoutError; // a worker does not answer; without one the server does
  } finally {
    await connection.close();
  }
}
