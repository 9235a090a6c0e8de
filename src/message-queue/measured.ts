import { wakeUps } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { MessageQueue } from './message-queue.ts';

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
