import { rings } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { MessageQueue } from './message-queue.ts';

/** Counts the rings of a queue that are sent and heard, and traces those that are sent, whatever its driver. */
export function withMetrics(queue: MessageQueue): MessageQueue {
  return {
    ...queue,
    async notify(jobId, lane) {
      rings.inc({ lane, heard: 'no' });
      const attributes = { 'steppe.job.id': jobId };
      await inSpan({ name: `ring ${lane}`, kind: 'producer', attributes }, async () => {
        await queue.notify(jobId, lane);
      });
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
