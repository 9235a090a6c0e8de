import type { Readable } from 'node:stream';
import type { Composition } from '../object-store/ledger.ts';
import type { JobKind } from './enqueue.ts';
import type { Transaction } from '../database/tables/tables.ts';
import type { Message } from '../lib/message.ts';

/** A body, a finished file, or pieces of objects. */
export type StoredBody = Readable | { readonly path: string } | Omit<Composition, 'signal'>;

/**
 * One try at one job, as its handler sees it. A worker that lost the lease can still compute, but can no longer change
 * anything that others see.
 */
export interface Attempt {
  readonly jobId: string;
  /** The fencing token: 1 for the first try. */
  readonly number: number;
  /** The subject of the job: a dataset, a landscape run, or a webhook. */
  readonly refId: string;
  /** An empty folder of this attempt's own, removed afterwards. */
  readonly scratch: string;
  /** Aborts when the lease is lost, the job is cancelled, or the worker shuts down. */
  readonly signal: AbortSignal;
  /**
   * Commits `work` only while this attempt holds the job, which goes on. When it saves results that the next attempt
   * need not make again, say so: earlier failures then count no longer. @throws LeaseLost
   */
  fenced<T>(work: (trx: Transaction) => Promise<T>, options?: { readonly madeProgress: boolean }): Promise<T>;
  /** Does the same as `fenced`, and the job is done. @throws LeaseLost */
  publish(work: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Ends this attempt: the job waits for so many seconds before its next one. Failures before count no longer. @throws LeaseLost */
  postpone(seconds: number): Promise<void>;
  /**
   * Stores a result under a key of this attempt's own: `<folder>/<refId>/<jobId>-<number><extension>`. It becomes live
   * when a `publish` passes its key to `publishObject`, and is swept otherwise. A file that nothing writes to any more is
   * given by its path: the store may take it over without a copy. Rejects when the attempt is aborted.
   */
  store(folder: string, extension: string, body: StoredBody): Promise<string>;
}

/** The reason why a job cannot succeed: the sentence for the user, and the error. */
export interface Failure {
  readonly reason: Message;
  readonly error: unknown;
}

/** The work of a kind of job. `fail` records, in the transaction that has ended the job, why it cannot succeed. */
export interface JobHandler {
  run(attempt: Attempt): Promise<void>;
  fail(trx: Transaction, refId: string, failure: Failure): Promise<void>;
}

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;

/** This attempt does not hold its job any more: it was taken for dead, handed back, or its dataset is gone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(jobId: string, attempt: number) {
    super(`attempt ${attempt} does not hold job ${jobId} any more`);
  }
}
