import { endsWithin, withTimeout } from '../lib/concurrency/with-timeout.ts';
import { wakeUps } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { MessageQueue } from './message-queue.ts';

interface QueueDeadlines {
  /** Timeout of a wake-up in milliseconds: the request that creates the job waits no longer, because workers also poll. */
  readonly wakeUpMs: number;
  /** Timeout of all other operations in milliseconds. */
  readonly answerMs: number;
}

const usual: QueueDeadlines = { wakeUpMs: 100, answerMs: 5000 };

/** Adds timeouts to a queue of any driver. A late wake-up continues unawaited. */
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

/** Counts sent and received wake-ups of a queue of any driver, and traces sent ones. */
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
