/**
 * PORT. Wakes up the workers when a job is enqueued. The job ledger is the truth: a message may be lost, doubled or late,
 * and only costs a poll.
 */
export interface MessageQueue {
  /** Tells one waiting worker or more that a job can be claimed. Never rejects: a failure is logged, not fatal. */
  notify(jobId: string): Promise<void>;
  /**
   * Calls `onMessage` for every message until the subscription is closed, and with an empty text when messages may have been
   * missed; survives reconnects.
   */
  subscribe(onMessage: (jobId: string) => void): Promise<Subscription>;
  /** Resolves when the queue answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}
