import { endsWithin, withTimeout } from '../lib/with-timeout.ts';
import type { MessageQueue } from './message-queue.ts';

export interface QueueDeadlines {
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
