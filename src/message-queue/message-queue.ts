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
