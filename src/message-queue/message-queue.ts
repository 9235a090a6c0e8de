import { endsWithin, withTimeout } from '../lib/concurrency/with-timeout.ts';
import { wakeUps } from '../metrics/instruments.ts';
import { inSpan } from '../tracing/tracing.ts';
/** Each lane has its own wake-ups: a worker without a free slot in one lane does not take the wake-up of another. */
export type QueueLane = 'datasets' | 'runs' | 'webhooks';

/** Receiver of the wake-ups of a lane. */
export interface WakeUpListener {
  /** Returns how many jobs of the lane the worker could start now; it receives no more wake-ups than that. */
  room(): number;
  /** Called for a job; resolves after the worker has looked for jobs. Must not reject. */
  onWakeUp(jobId: string): Promise<void> | void;
}

/** PORT. Wakes up workers when a job is enqueued. The job ledger is authoritative: a lost, repeated or late message only costs a poll. */
export interface MessageQueue {
  /** Notifies at least one waiting worker that a job of a lane can be claimed. Never rejects: a failure is logged. */
  notify(jobId: string, lane: QueueLane): Promise<void>;
  /**
   * Passes wake-ups of a lane to the listener until the subscription is closed; passes an empty id if some may have
   * been missed. Survives reconnects.
   */
  subscribe(lane: QueueLane, listener: WakeUpListener): Promise<Subscription>;
  /** Resolves if the queue answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}

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
