import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { describeMessageQueue } from '../../../test/contract/message-queue.ts';
import { closeAfterTests, temporaryFolder } from '../../../test/support/for-tests.ts';
import { until } from '../../../test/support/jobs.ts';
import { type NatsServer, startNats } from '../../../test/support/services/nats.ts';
import { makeCertificate } from '../../../test/support/services/postgres.ts';
import type { MessageQueue } from '../message-queue.ts';
import { readNatsUrl } from './address.ts';
import { openNatsMessageQueue } from './queue.ts';
import { streamName } from './stream.ts';

const nats = await closeAfterTests(startNats(await temporaryFolder()));
const open = async ({ url }: Pick<NatsServer, 'url'> = nats) =>
  await openNatsMessageQueue(readNatsUrl(url), () => undefined);

/** Does something with the server as its operator would. */
async function operate<T>(
  work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: nats.url });
  try {
    return await work(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

async function answers(queue: MessageQueue): Promise<boolean> {
  return await queue.check().then(
    () => true,
    () => false,
  );
}

describeMessageQueue('NATS', async () => {
  const [queue, other] = [await open(), await open()];
  return {
    queue,
    other,
    async interrupt() {
      await nats.process.stop('SIGKILL');
      await nats.restart();
    },
    purge: async () => void (await operate(async (manager) => await manager.streams.purge(streamName))),
    async close() {
      await queue.close();
      await other.close();
    },
  };
});

describe('NATS as message queue', () => {
  it('keeps its wake-ups in a stream with bounds, and drops the oldest', async () => {
    const queue = await open();
    const { config } = await operate(async (manager) => await manager.streams.info(streamName));
    const { retention, storage, discard, max_age, max_msgs } = config;
    assert.deepEqual(
      { retention, storage, discard, max_age, max_msgs },
      { retention: 'workqueue', storage: 'file', discard: 'old', max_age: 3_600e9, max_msgs: 100_000 },
    );
    await queue.close();
  });

  it('works on with a server that was made anew, with nothing in its folder', async () => {
    const queue = await open();
    const heard = new Set<string>();
    const listener = { room: () => 1, onWakeUp: (jobId: string) => void heard.add(jobId) };
    const subscription = await queue.subscribe('runs', listener);
    await nats.process.stop();
    await rm(nats.store, { recursive: true });
    await nats.restart();
    await until(async () => {
      await queue.notify('after', 'runs');
      return heard.has('after');
    });
    await subscription.close();
    await queue.close();
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
    const secured = await startNats(await temporaryFolder(), {
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
