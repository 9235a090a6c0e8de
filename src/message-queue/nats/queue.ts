import { setTimeout as delay } from 'node:timers/promises';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { MessageQueue, QueueLane } from '../message-queue.ts';
import type { NatsAddress } from './address.ts';
import { openNatsConnection } from './connection.ts';
import { readLane } from './lane-reader.ts';
import { streamName, subjectOf } from './stream.ts';

const checkMs = 2000;
const heardWithinMs = 2000;

/**
 * Wakes up workers over a stream of NATS JetStream, which need not answer yet.
 * @param onError called with wake-ups that failed and of connections that broke.
 */
export async function openNatsMessageQueue(
  address: NatsAddress,
  onError: (error: unknown) => void,
): Promise<MessageQueue> {
  const owner = await openNatsConnection(address, onError);
  const readers = new Set<{ close(): Promise<void> }>();

  async function wakeUp(jobId: string, lane: QueueLane): Promise<void> {
    const session = owner.session();
    if (session === undefined) throw new Error('NATS is away');
    const publish = async () => await session.jetStream.publish(subjectOf(lane), jobId);
    // The stream may be gone with the folder of a server that was made anew.
    await publish().catch(async () => {
      await owner.repair();
      await publish();
    });
  }

  return {
    async notify(jobId, lane) {
      await wakeUp(jobId, lane).catch(onError);
    },
    async subscribe(lane, listener) {
      const heard = Promise.withResolvers<void>();
      const reader = readLane(owner, lane, listener, { onPull: heard.resolve, onError });
      readers.add(reader);
      const waiting = new AbortController();
      await Promise.race([
        heard.promise,
        delay(heardWithinMs, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
      return {
        async close() {
          readers.delete(reader);
          await reader.close();
        },
      };
    },
    async check() {
      const session = owner.session();
      if (session === undefined) throw new Error('NATS is away');
      await withTimeout(checkMs, session.manager.streams.info(streamName));
    },
    async close() {
      for (const each of readers) await each.close();
      readers.clear();
      await owner.close();
    },
  };
}
