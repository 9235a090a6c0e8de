/** Each lane has wake-ups of its own, so that a worker without a free slot for one does not take the wake-up of another. */
export type QueueLane = 'datasets' | 'runs' | 'webhooks';

/** A receiver of the wake-ups of a lane. */
export interface WakeUpListener {
  /** Returns how many jobs of the lane it could begin now; it is given no more wake-ups than that. */
  room(): number;
  /** Called for a job; resolves when it has looked for jobs. Must not reject. */
  onWakeUp(jobId: string): Promise<void> | void;
}

/**
 * PORT. Wakes up the workers when a job is enqueued. The job ledger is the truth: a message may be lost, doubled or late,
 * and only costs a poll.
 */
export interface MessageQueue {
  /** Notifies one waiting worker or more that a job of a lane can be claimed. Never rejects: a failure is logged, not fatal. */
  notify(jobId: string, lane: QueueLane): Promise<void>;
  /**
   * Passes the wake-ups of a lane to the listener until the subscription is closed, and one with an empty text when some may
   * have been missed; survives reconnects.
   */
  subscribe(lane: QueueLane, listener: WakeUpListener): Promise<Subscription>;
  /** Resolves when the queue answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}
