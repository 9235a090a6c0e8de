import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, TimeoutError } from '@nats-io/transport-node';
import { answers, describeMessageQueue } from '../../../test/contract/message-queue.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { until } from '../../../test/support/jobs.ts';
import { type NatsServer, startNats } from '../../../test/support/services/nats.ts';
import { makeCertificate } from '../../../test/support/services/postgres.ts';
import { openTestWorkers } from '../../../test/support/workers.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import { readNatsUrl } from './address.ts';
import { openNatsMessageQueue } from './queue.ts';

const hour = 3_600_000;
const nats = await closeAfterTests(startNats());
const open = async ({ url }: Pick<NatsServer, 'url'> = nats) =>
  await openNatsMessageQueue(readNatsUrl(url), () => undefined);

const queue = await closeAfterTests(open());
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

/** Returns whether a worker receives wake-ups. */
async function isHeard(): Promise<boolean> {
  const connection = await connect({ servers: nats.url, reconnect: false });
  try {
    await connection.request('steppe.jobs.datasets', '', { timeout: 200 });
    return true;
  } catch (error) {
    return error instanceof TimeoutError; // a subscribed worker never replies; without subscribers, the server does
  } finally {
    await connection.close();
  }
}

describeMessageQueue('NATS', async () => {
  const [one, other] = [await open(), await open()];
  return {
    queue: one,
    other,
    async interrupt() {
      await nats.process.stop('SIGKILL');
      await nats.restart();
    },
    async close() {
      await one.close();
      await other.close();
    },
  };
});

describe('NATS as message queue', () => {
  it('tells a listener that wake-ups may have been missed while the server was away', async () => {
    const queue = await open();
    const heard: string[] = [];
    const listener = { room: () => 1, onWakeUp: (jobId: string) => void heard.push(jobId) };
    const subscription = await queue.subscribe('runs', listener);
    assert.equal(heard.length, 0);
    await nats.process.stop('SIGKILL');
    await nats.restart();
    await until(async () => heard.includes(''));
    await subscription.close();
    await queue.close();
  });

  it('gives each wake-up to one worker, and no worker more than it has room for', async () => {
    const queues = [await open(), await open(), await open()];
    const looks: PromiseWithResolvers<void>[] = [];
    let heard = 0;
    for (const queue of queues) {
      let free = 2;
      await queue.subscribe('datasets', {
        room: () => free,
        async onWakeUp(jobId) {
          if (jobId === '') return;
          heard += 1;
          const look = Promise.withResolvers<void>();
          looks.push(look);
          await look.promise;
          free -= 1;
        },
      });
    }
    const notify = async (count: number) => {
      for (let n = 0; n < count; n += 1) await queues[0]?.notify(`job ${n}`, 'datasets');
    };
    await notify(6);
    await until(async () => heard === 6);
    await notify(10);
    await delay(100);
    assert.equal(heard, 6, 'all are full');
    for (const { resolve } of looks) resolve();
    for (const queue of queues) await queue.close();
  });

  it('costs a request little while the server is frozen or gone, and says so when it is checked', async (t) => {
    const queue = await open();
    t.after(async () => await queue.close());
    const assertNoticed = async () => {
      const startedAt = performance.now();
      await queue.notify('unheard', 'datasets');
      assert.ok(performance.now() - startedAt < 1000);
      await assert.rejects(queue.check());
      assert.ok(performance.now() - startedAt < 5000);
    };
    await nats.process.freeze();
    await assertNoticed();
    await nats.process.thaw();
    await nats.process.stop('SIGKILL');
    await assertNoticed();
    await nats.restart();
    await until(async () => await answers(queue));
  });

  it('starts without a server, and finds it when it comes', async (t) => {
    await nats.process.stop();
    const errors: unknown[] = [];
    const queue = await openNatsMessageQueue(readNatsUrl(nats.url), (error) => errors.push(error));
    t.after(async () => await queue.close());
    await assert.rejects(queue.check());
    assert.ok(errors.length > 0);
    await nats.restart();
    await until(async () => await answers(queue));
  });

  it('proves who the server is, where the URL names an authority, and who it is itself', async () => {
    const { path, key } = await makeCertificate(await temporaryFolder());
    const account = ['--user', 'steppe', '--pass', 'p@ss'];
    const secured = await startNats({
      moreArguments: ['--tls', '--tlscert', path, '--tlskey', key, ...account],
    });
    const ca = `ca=${encodeURIComponent(path)}`;
    const url = `nats://steppe:p%40ss@localhost:${secured.port}`;
    const trusting = await open({ url: `${url}?${ca}` });
    await trusting.check();
    await trusting.close();
    for (const other of [url, `nats://localhost:${secured.port}?${ca}`]) {
      const stranger = await open({ url: other });
      await assert.rejects(stranger.check());
      await stranger.close();
    }
    await secured.process.stop();
  });
});

describe('jobs that NATS wakes workers for', () => {
  it('are begun by the wake-up alone', async () => {
    start(async () => undefined, { pollEveryMs: hour, concurrency: 2 });
    await until(async () => await isHeard());
    for (const jobId of await addJobs(20)) await inState(jobId, 'done');
  });

  it('are all done when many wake-ups are lost', async () => {
    const jobs = await addJobs(50);
    const done = new Set<string>();
    for (let n = 0; n < 2; n += 1) start(async ({ jobId }) => void done.add(jobId), { concurrency: 4 });
    for (const jobId of jobs) await inState(jobId, 'done');
    assert.deepEqual(done, new Set(jobs));
  });

  it('are done while the server is away, and by wake-ups again when it is back', async () => {
    start(async () => undefined, { pollEveryMs: 200 });
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
