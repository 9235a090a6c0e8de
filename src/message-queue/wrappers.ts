import { endsWithin, withTimeout } from '../lib/concurrency/with-timeout.ts';
import { wakeUps } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { MessageQueue } from './message-queue.ts';

interface QueueDeadlines {
  /** For a wake-up: the request that makes a job waits no longer, since workers look by themselves. */
  readonly wakeUpMs: number;
  /** For all else. */
  readonly answerMs: number;
}

const usual: QueueDeadlines = { wakeUpMs: 100, answerMs: 5000 };

/** Puts deadlines around a queue, whatever its driver. A wake-up that takes longer goes on, without being waited for. */
export function withDeadlines(queue: MessageQueue, deadlines: Partial<QueueDeadlines> = {}): MessageQueue {
  const { wakeUpMs, answerMs } = { ...usual, ...deadlines };
  return {
    async notify(jobId, lane) {
      await endsWithin(wakeUpMs, queue.notify(jobId, lane));
    },
    subscribe: async (lane, listener) => await withTimeout(answerMs, queue.subscribe(lane, listener)),
    check: async () => await withTimeout(answerMs, queue.check()),
    async close() {
      await endsWithin(answerMs, queue.close());
    },
  };
}

/** Counts the wake-ups of a queue that are sent and received, and traces those that are sent, whatever its driver. */
export function withMetrics(queue: MessageQueue): MessageQueue {
  return {
    ...queue,
    async notify(jobId, lane) {
      wakeUps.inc({ lane, heard: 'no' });
      const attributes = { 'steppe.job.id': jobId };
      await inSpan({ name: `wake-up ${lane}`, kind: 'producer', attributes }, async () => {
        await queue.notify(jobId, lane);
      });
    },
    subscribe: async (lane, listener) =>
      await queue.subscribe(lane, {
        ...listener,
        async onWakeUp(jobId) {
          wakeUps.inc({ lane, heard: 'yes' });
          await listener.onWakeUp(jobId);
        },
      }),
  };
}
