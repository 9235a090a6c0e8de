import type { Readable } from 'node:stream';
import type { Composition } from '../object-store/ledger.ts';
import type { JobKind } from './enqueue.ts';
import type { Transaction } from '../database/tables/tables.ts';
import type { Message } from '../lib/message.ts';

/** A body, a finished file, or pieces of objects. */
export type StoredBody = Readable | { readonly path: string } | Omit<Composition, 'signal'>;

/**
 * One attempt at a job, as its handler sees it. A worker that has lost the lease can still compute, but can no longer change anything
 * that is visible to others.
 */
export interface Attempt {
  readonly jobId: string;
  /** The fencing token: 1 for the first try. */
  readonly number: number;
  /** The subject of the job: a dataset, a landscape run, or a webhook. */
  readonly refId: string;
  /** An empty folder for this attempt only; removed afterwards. */
  readonly scratch: string;
  /** Aborts when the lease is lost, the job is cancelled, or the worker shuts down. */
  readonly signal: AbortSignal;
  /**
   * Commits `work` only while this attempt holds the job; the job continues. Set `madeProgress` when the work saves results that the next
   * attempt can use: earlier failures then no longer count.
   * @throws LeaseLost
   */
  fenced<T>(work: (trx: Transaction) => Promise<T>, options?: { readonly madeProgress: boolean }): Promise<T>;
  /** Commits `work` as `fenced` does, and ends the job as done. @throws LeaseLost */
  publish(work: (trx: Transaction) => Promise<void>): Promise<void>;
  /** Ends this attempt; the next one starts after this number of seconds. Earlier failures no longer count. @throws LeaseLost */
  postpone(seconds: number): Promise<void>;
  /**
   * Stores a result under a key of this attempt: `<folder>/<refId>/<jobId>-<number><extension>`. It becomes live when a `publish` passes
   * its key to `publishObject`, otherwise it is swept. Pass a finished file by its path: the store may take it over without a copy.
   * Rejects when the attempt is aborted.
   */
  store(folder: string, extension: string, body: StoredBody): Promise<string>;
}

/** The reason why a job cannot succeed: a sentence for the user, and the error. */
export interface Failure {
  readonly reason: Message;
  readonly error: unknown;
}

/** The work of a kind of job. `fail` records why the job cannot succeed, in the transaction that ends the job. */
export interface JobHandler {
  run(attempt: Attempt): Promise<void>;
  fail(trx: Transaction, refId: string, failure: Failure): Promise<void>;
}

export type JobHandlers = Readonly<Partial<Record<JobKind, JobHandler>>>;

/** This attempt no longer holds its job: it was presumed dead, handed back, or its dataset was deleted. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor(jobId: string, attempt: number) {
    super(`attempt ${attempt} does not hold job ${jobId} any more`);
  }
}
