import type { Logger } from 'pino';
import type { Database } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { LeaseLost, type JobHandler } from './handler.ts';
import { createAttempt } from './attempt.ts';
import { changeHeldJob, ended, queuedAfter, readFailureCounts, type ClaimedJob } from './ledger.ts';
import { createScratch, removeScratch } from './scratch.ts';
import { decideRetry, type RetryDecision } from './retry-decision.ts';

export interface AttemptDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly scratchRoot: string;
  readonly leaseSeconds: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Why an attempt was aborted although it holds its job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
  constructor() {
    super('the worker shuts down');
  }
}

export type Ending = 'done' | 'failed' | 'again' | 'handed back' | 'stale attempt' | 'left to its lease';

/** Runs one attempt from claim to decision and cleans up after it. Never rejects. */
export async function runAttempt(
  parts: AttemptDependencies,
  job: ClaimedJob,
  { handler, signal }: { readonly handler: JobHandler; readonly signal: AbortSignal },
): Promise<Ending> {
  const { db, log } = parts;
  const fields = { jobId: job.jobId, kind: job.kind, refId: job.refId, attempt: job.attempt };
  const startedAt = performance.now();
  const drafts = new AsyncDisposableStack();
  let scratch: string | undefined;
  let published = false;
  const onPublished = (): void => {
    published = true;
  };

  async function run(): Promise<Ending> {
    signal.throwIfAborted();
    scratch = await createScratch(parts.scratchRoot, job);
    await handler.run(createAttempt({ ...parts, scratch, signal, drafts, onPublished }, job));
    if (published) return 'done';
    signal.throwIfAborted();
    await changeHeldJob(db, job, ended('done')); // there was nothing to do
    return 'done';
  }

  async function giveUp(error: unknown): Promise<Ending> {
    if (published) {
      log.warn({ ...fields, err: error }, 'a handler failed after it had published');
      return 'done';
    }
    try {
      if (signal.reason instanceof HandedBack) {
        await handBack(db, job);
        return 'handed back';
      }
      const decision = await recordFailure(db, job, { handler, error });
      log.warn({ ...fields, err: error, ...decision }, 'attempt failed');
      return decision.end;
    } catch (err) {
      if (err instanceof LeaseLost) return 'stale attempt';
      log.warn({ ...fields, err, failure: error }, 'the failure of an attempt could not be recorded');
      return 'left to its lease';
    }
  }

  const ending = await run().catch(giveUp);
  await drafts.disposeAsync();
  if (scratch !== undefined) {
    await removeScratch(scratch).catch((err: unknown) =>
      log.warn({ ...fields, err }, 'scratch folder not removed'),
    );
  }
  log.info({ ...fields, ending, ms: Math.round(performance.now() - startedAt) }, 'attempt ended');
  return ending;
}

/** Ends the job, or queues it again, by the kind of its failure. @throws LeaseLost when it is not ours any more. */
async function recordFailure(
  db: Database,
  job: ClaimedJob,
  { handler, error }: { readonly handler: JobHandler; readonly error: unknown },
): Promise<RetryDecision> {
  return await inTransaction(db, async (trx) => {
    const decision = decideRetry(error, await readFailureCounts(trx, job));
    if (decision.end === 'failed') {
      await handler.fail(trx, job.refId, { reason: decision.reason, error });
      await changeHeldJob(trx, job, { ...ended('failed'), last_error: decision.reason });
    } else {
      await changeHeldJob(trx, job, {
        ...queuedAfter(decision.afterSeconds),
        engine_deaths: decision.engineDeaths,
        worker_deaths: decision.workerDeaths,
        last_error: decision.error,
      });
    }
    return decision;
  });
}

/** Lets another worker have the job now; the attempt does not count as a failure. @throws LeaseLost */
export async function handBack(db: Database, job: ClaimedJob): Promise<void> {
  await changeHeldJob(db, job, queuedAfter(0));
}
