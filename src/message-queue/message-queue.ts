/**
 * PORT. A doorbell between those who enqueue jobs and those who claim them. The job ledger is the truth: a message may
 * be lost, doubled or late, and only costs a poll.
 */
export interface MessageQueue {
  /** Tells one waiting worker or more that a job can be claimed. Never rejects: failing to ring is logged, not fatal. */
  ring(jobId: string): Promise<void>;
  /** Calls `onRing` for every message until the subscription is closed; survives reconnects. */
  subscribe(onRing: (jobId: string) => void): Promise<Subscription>;
  /** Resolves when the queue answers; rejects otherwise. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface Subscription {
  close(): Promise<void>;
}
