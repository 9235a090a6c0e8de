import type { Subscription as Membership } from '@nats-io/transport-node';
import { ignore } from '../../lib/concurrency/promises.ts';
import { endsWithin } from '../../lib/concurrency/with-timeout.ts';
import type { MessageQueue, QueueLane, Subscription, WakeUpListener } from '../message-queue.ts';
import type { NatsAddress } from './address.ts';
import { flush, type NatsOwner, openNatsConnection } from './connection.ts';

const answerWithinMs = 2000;
/** A listener without room leaves its group; it looks for jobs by itself when it has room again. */
const lookForRoomEveryMs = 250;
/** A worker that stops does not wait longer for a server that is away. */
const leaveWithinMs = 500;
/** The listeners of a lane: a wake-up goes to one of them. */
const group = 'workers';

/**
 * Wakes up workers over queue groups of NATS, which need not answer yet. NATS keeps no message: what is sent while no worker
 * has room is lost, and found by looking.
 * @param onError called with wake-ups that failed, and with connections that broke.
 */
export async function openNatsMessageQueue(
  address: NatsAddress,
  onError: (error: unknown) => void,
): Promise<MessageQueue> {
  const readers = new Set<LaneReader>();
  const owner = await openNatsConnection(address, {
    onError,
    onConnected() {
      for (const reader of readers) reader.onConnected();
    },
  });

  return {
    async notify(jobId, lane) {
      try {
        const connection = owner.connection();
        if (connection === undefined) throw new Error('NATS is away');
        connection.publish(subjectOf(lane), jobId);
      } catch (error) {
        onError(error);
      }
    },
    async subscribe(lane, listener): Promise<Subscription> {
      const reader = createLaneReader(owner, lane, listener);
      readers.add(reader);
      const connection = owner.connection();
      // With NATS away the subscription stands all the same, and works once it is back.
      if (connection !== undefined) await flush(connection, answerWithinMs).catch(onError);
      return {
        async close() {
          readers.delete(reader);
          await reader.close();
        },
      };
    },
    async check() {
      const connection = owner.connection();
      if (connection === undefined) throw new Error('NATS is away');
      await flush(connection, answerWithinMs);
    },
    async close() {
      await Promise.all([...readers].map((reader) => reader.close()));
      readers.clear();
      await owner.close();
    },
  };
}

type LaneReader = ReturnType<typeof createLaneReader>;

/** Hears wake-ups while the listener has room for more than those that it still looks for jobs because of. */
function createLaneReader(owner: NatsOwner, lane: QueueLane, listener: WakeUpListener) {
  const subject = subjectOf(lane);
  let membership: Membership | undefined;
  let looks = 0;
  let isClosed = false;

  const hasRoom = () => !isClosed && listener.room() > looks;

  function join(): void {
    const connection = owner.connection();
    if (membership?.isClosed() === true) membership = undefined;
    if (connection === undefined || connection.isClosed() || membership !== undefined) return;
    if (!hasRoom()) return;
    membership = connection.subscribe(subject, {
      queue: group,
      callback(_error, { data }) {
        if (hasRoom()) {
          void look(new TextDecoder().decode(data));
        } else {
          void leave();
          connection.publish(subject, data); // another worker's; lost when all are full
        }
      },
    });
  }

  /** Resolves once the server sends nothing more; until then messages on their way to this worker still come. */
  async function leave(): Promise<void> {
    const left = membership;
    membership = undefined;
    if (left?.isClosed() === false) await left.drain().catch(ignore);
  }

  async function look(jobId: string): Promise<void> {
    looks += 1;
    await listener.onWakeUp(jobId);
    looks -= 1;
  }

  const joining = setInterval(join, lookForRoomEveryMs);
  join();
  return {
    /** Wake-ups may have been missed. */
    onConnected(): void {
      join();
      void listener.onWakeUp('');
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(joining);
      await endsWithin(leaveWithinMs, leave());
    },
  };
}

function subjectOf(lane: QueueLane): string {
  return `steppe.jobs.${lane}`;
}
