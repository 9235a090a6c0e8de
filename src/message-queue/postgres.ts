import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Listener } from '../database/listener.ts';
import type { Database } from '../database/tables/tables.ts';
import type { MessageQueue, QueueLane } from './message-queue.ts';

const channel = 'job_queued';
const heardWithinMs = 2000;

/**
 * Embedded default: uses LISTEN and NOTIFY of the database.
 * @param listener remains the caller's to close.
 * @param onError called with failed notifications.
 */
export function createPostgresMessageQueue(
  db: Database,
  listener: Listener,
  onError: (error: unknown) => void,
): MessageQueue {
  const subscriptions = new Set<{ close(): Promise<void> }>();
  return {
    async notify(jobId, lane) {
      try {
        await sql`select pg_notify(${channel}, ${`${lane} ${jobId}`})`.execute(db);
      } catch (error) {
        onError(error);
      }
    },
    async subscribe(lane, { onWakeUp }) {
      const heard = Promise.withResolvers<void>();
      let isHeard = false;
      const subscription = listener.subscribe(channel, wakeUpsOf(lane, onWakeUp), () => {
        if (isHeard) void onWakeUp(''); // a notification may have been missed
        isHeard = true;
        heard.resolve();
      });
      subscriptions.add(subscription);
      // Without the database, the subscription exists all the same, and works after the reconnect.
      const waiting = new AbortController();
      await Promise.race([heard.promise, delay(heardWithinMs, undefined, { signal: waiting.signal })]);
      waiting.abort();
      return {
        async close() {
          subscriptions.delete(subscription);
          await subscription.close();
        },
      };
    },
    check: async () => await listener.check(),
    async close() {
      for (const each of subscriptions) await each.close();
      subscriptions.clear();
    },
  };
}

/** Every worker receives every wake-up: one without room takes none from another. */
function wakeUpsOf(lane: QueueLane, onWakeUp: (jobId: string) => unknown): (payload: string) => void {
  return (payload) => {
    const [wokenLane, jobId = ''] = payload.split(' ');
    if (wokenLane === lane) void onWakeUp(jobId);
  };
}
