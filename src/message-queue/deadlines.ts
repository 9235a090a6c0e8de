import { endsWithin, withTimeout } from '../lib/with-timeout.ts';
import type { MessageQueue } from './message-queue.ts';

export interface QueueDeadlines {
  /** For a ring: whoever makes a job does not wait longer to be heard, since workers look by themselves. */
  readonly ringMs: number;
  /** For all else. */
  readonly answerMs: number;
}

const usual: QueueDeadlines = { ringMs: 100, answerMs: 5000 };

/** Puts deadlines around a queue, whatever its driver. A ring that takes longer goes on, and nobody waits for it. */
export function withDeadlines(queue: MessageQueue, deadlines: Partial<QueueDeadlines> = {}): MessageQueue {
  const { ringMs, answerMs } = { ...usual, ...deadlines };
  return {
    async notify(jobId, lane) {
      await endsWithin(ringMs, queue.notify(jobId, lane));
    },
    subscribe: async (lane, listener) => await withTimeout(answerMs, queue.subscribe(lane, listener)),
    check: async () => await withTimeout(answerMs, queue.check()),
    async close() {
      await endsWithin(answerMs, queue.close());
    },
  };
}
