import type { Subscription as Membership } from '@nats-io/transport-node';
import { ignore } from '../../lib/concurrency/promises.ts';
import { endsWithin } from '../../lib/concurrency/with-timeout.ts';
import type { MessageQueue, QueueLane, Subscription, WakeUpListener } from '../message-queue.ts';
import type { NatsAddress } from './address.ts';
import { flush, type NatsOwner, openNatsConnection } from './connection.ts';

const answerWithinMs = 2000;
/** A listener without room leaves its group; it looks for jobs itself when it has room again. */
const lookForRoomEveryMs = 250;
/** A worker that stops waits no longer than this for an absent server. */
const leaveWithinMs = 500;
/** Queue group of the listeners of a lane: one of them gets each wake-up. */
const group = 'workers';

/**
 * Wakes up workers through queue groups of NATS, which may be unreachable at first. NATS stores no message: a wake-up
 * that is sent while no worker has room is lost, and polling finds the job.
 * @param onError called with failed wake-ups and lost connections.
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
      // Without NATS, the subscription exists all the same, and works after the reconnect.
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

/** Receives wake-ups while the listener has more room than unfinished wake-ups. */
function createLaneReader(owner: NatsOwner, lane: QueueLane, listener: WakeUpListener) {
  const subject = subjectOf(lane);
  let membership: Membership | undefined;
  let wakeUps = 0;
  let isClosed = false;

  const hasRoom = () => !isClosed && listener.room() > wakeUps;

  function join(): void {
    const connection = owner.connection();
    if (membership?.isClosed() === true) membership = undefined;
    if (connection === undefined || connection.isClosed() || membership !== undefined) return;
    if (!hasRoom()) return;
    membership = connection.subscribe(subject, {
      queue: group,
      callback(_error, { data }) {
        if (hasRoom()) {
          void wakeUp(new TextDecoder().decode(data));
        } else {
          void leave();
          connection.publish(subject, data); // passed on to another worker; lost if none has room
        }
      },
    });
  }

  /** Resolves when the server sends nothing more; until then, wake-ups in flight still arrive. */
  async function leave(): Promise<void> {
    const left = membership;
    membership = undefined;
    if (left?.isClosed() === false) await left.drain().catch(ignore);
  }

  async function wakeUp(jobId: string): Promise<void> {
    wakeUps += 1;
    await listener.onWakeUp(jobId);
    wakeUps -= 1;
  }

  const joining = setInterval(join, lookForRoomEveryMs);
  join();
  return {
    /** Some wake-ups may have been missed. */
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
