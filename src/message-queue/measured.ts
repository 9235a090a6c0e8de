import { rings } from '../metrics/instruments.ts';
import type { MessageQueue } from './message-queue.ts';

/** Counts the rings of a queue that are sent and heard, whatever its driver. */
export function withMetrics(queue: MessageQueue): MessageQueue {
  return {
    ...queue,
    async notify(jobId, lane) {
      rings.inc({ lane, heard: 'no' });
      await queue.notify(jobId, lane);
    },
    subscribe: async (lane, listener) =>
      await queue.subscribe(lane, {
        ...listener,
        async onRing(jobId) {
          rings.inc({ lane, heard: 'yes' });
          await listener.onRing(jobId);
        },
      }),
  };
}
