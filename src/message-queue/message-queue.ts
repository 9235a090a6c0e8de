/** Jobs of different lanes are rung for apart, so that a worker without a free slot for one does not take the ring of another. */
export type QueueLane = 'datasets' | 'runs';

/** Whoever hears the rings of a lane. */
export interface RingListener {
  /** Returns how many jobs of the lane it could begin now; it is given no more rings than that. */
  room(): number;
  /** Told of a job; resolves when it has looked for jobs. Must not reject. */
  onRing(jobId: string): Promise<void> | void;
}

/**
 * PORT. Wakes up the workers when a job is enqueued. The job ledger is the truth: a message may be lost, doubled or late,
 * and only costs a poll.
 */
export interface MessageQueue {
  /** Tells one waiting worker or more that a job of a lane can be claimed. Never rejects: a failure is logged, not fatal. */
  notify(jobId: string, lane: QueueLane): Promise<void>;
  /**
   * Tells the listener of the rings of a lane until the subscription is closed, and with an empty text when some may have been
   * missed; survives reconnects.
   */
  subscribe(lane: QueueLane, listener: RingListener): Promise<Subscription>;
  /** Resolves when the queue answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}
