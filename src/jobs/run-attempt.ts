import { addAbortSignal, Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Database } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { writeDraft } from '../object-store/ledger.ts';
import { attemptSeconds, attempts } from '../metrics/instruments.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { inTrace } from '../tracing/tracing.ts';
import { type Attempt, type JobHandler, LeaseLost } from './handler.ts';
import { changeHeldJob, type ClaimedJob, ended, queuedAfter, readHeldJob, secondsFromNow } from './ledger.ts';
import { decideRetry, type RetryDecision } from './retry-decision.ts';
import { createScratch, removeScratch } from './scratch.ts';

interface AttemptDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly scratchRoot: string;
  readonly leaseSeconds: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** The reason for aborting an attempt that still holds its job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack';
  constructor() {
    super('the worker shuts down');
  }
}

type Ending =
  | 'done'
  | 'postponed'
  | 'failed'
  | 'again'
  | 'handed back'
  | 'stale attempt'
  | 'left to its lease';

const noFailures = { engine_deaths: 0, worker_deaths: 0, unexpected_errors: 0 } as const;

/** Outcomes that are not failures. */
const goodEndings: ReadonlySet<Ending> = new Set<Ending>(['done', 'postponed', 'handed back']);

/** Runs one attempt at a claimed job, records its outcome and cleans up. Never rejects. */
export async function runAttempt(
  dependencies: AttemptDependencies,
  job: ClaimedJob,
  handler: JobHandler,
  signal: AbortSignal,
): Promise<Ending> {
  const attributes = {
    'steppe.job.id': job.jobId,
    'steppe.ref.id': job.refId,
    'steppe.attempt': job.attempt,
  };
  const description = { name: `attempt ${job.kind}`, kind: 'consumer', attributes } as const;
  return await inTrace(description, job.trace ?? undefined, async (span) => {
    const ending = await runUntraced(dependencies, job, handler, signal);
    span.set({ 'steppe.ending': ending });
    if (!goodEndings.has(ending)) span.fail(ending);
    return ending;
  });
}

async function runUntraced(
  dependencies: AttemptDependencies,
  job: ClaimedJob,
  handler: JobHandler,
  signal: AbortSignal,
): Promise<Ending> {
  const { db, objectStore, leaseSeconds, scratchRoot, log } = dependencies;
  const { jobId, kind, refId, attempt: number } = job;
  const fields = { jobId, kind, refId, attempt: number };
  const startedAt = performance.now();
  const drafts = new AsyncDisposableStack();
  /** Number of calls that have stored something under a name. */
  const storedNames = new Map<string, number>();
  let scratch: string | undefined;
  let isPublished = false;
  let isPostponed = false;

  /** The handler's view of the job: everything that others can see is written behind the fence. */
  const createAttempt = (folder: string): Attempt => ({
    jobId,
    number,
    refId,
    scratch: folder,
    signal,
    async fenced(work, { madeProgress } = { madeProgress: false }) {
      return await inTransaction(db, async (trx) => {
        const result = await work(trx);
        await changeHeldJob(trx, job, {
          lease_until: secondsFromNow(leaseSeconds),
          ...(madeProgress ? noFailures : {}),
        });
        return result;
      });
    },
    async publish(work) {
      await inTransaction(db, async (trx) => {
        await work(trx);
        await changeHeldJob(trx, job, ended('done'));
      });
      isPublished = true;
    },
    async postpone(seconds) {
      await changeHeldJob(db, job, { ...queuedAfter(seconds), ...noFailures });
      isPostponed = true;
    },
    async store(prefix, extension, body) {
      const name = `${prefix}/${refId}/${jobId}-${number}`;
      const uses = (storedNames.get(name + extension) ?? 0) + 1;
      storedNames.set(name + extension, uses);
      // A put that was not answered may still arrive under its key, which the ledger keeps for that long.
      const key = uses === 1 ? name + extension : `${name}-${uses}${extension}`;
      const content = body instanceof Readable ? addAbortSignal(signal, body) : { ...body, signal };
      drafts.use(await writeDraft(db, objectStore, key, content));
      return key;
    },
  });

  async function run(): Promise<Ending> {
    signal.throwIfAborted();
    scratch = await createScratch(scratchRoot, job);
    await handler.run(createAttempt(scratch));
    if (isPublished) return 'done';
    if (isPostponed) return 'postponed';
    signal.throwIfAborted();
    await changeHeldJob(db, job, ended('done')); // nothing to do
    return 'done';
  }

  async function giveUp(error: unknown): Promise<Ending> {
    if (isPublished || isPostponed) {
      log.warn({ ...fields, err: error }, 'a handler failed after it had published');
      return 'done';
    }
    try {
      if (signal.reason instanceof HandedBack) {
        await handBack(db, job);
        return 'handed back';
      }
      const decision = await recordFailure(db, job, handler, error);
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
    await removeScratch(scratch).catch((err: unknown) => {
      log.warn({ ...fields, err }, 'scratch folder not removed');
    });
  }
  const ms = performance.now() - startedAt;
  attempts.inc({ kind, ending });
  attemptSeconds.observe({ kind }, ms / 1000);
  log.info({ ...fields, ending, ms: Math.round(ms) }, 'attempt ended');
  return ending;
}

/** Ends the job or queues it again, depending on the kind of failure. @throws LeaseLost when another attempt holds the job. */
async function recordFailure(
  db: Database,
  job: ClaimedJob,
  handler: JobHandler,
  error: unknown,
): Promise<RetryDecision> {
  return await inTransaction(db, async (trx) => {
    const counts = await readHeldJob(trx, job);
    if (counts === undefined) throw new LeaseLost(job.jobId, job.attempt);
    const decision = decideRetry(error, counts, job.jobId);
    if (decision.end === 'failed') {
      await changeHeldJob(trx, job, { ...ended('failed'), last_error: decision.reason.english });
      await handler.fail(trx, job.refId, { reason: decision.reason, error });
    } else {
      await changeHeldJob(trx, job, {
        ...queuedAfter(decision.afterSeconds),
        engine_deaths: decision.engineDeaths,
        worker_deaths: decision.workerDeaths,
        unexpected_errors: decision.unexpectedErrors,
        last_error: decision.error,
      });
    }
    return decision;
  });
}

/** Releases the job to another worker at once; the attempt does not count as a failure. @throws LeaseLost */
export async function handBack(db: Database, job: ClaimedJob): Promise<void> {
  await changeHeldJob(db, job, queuedAfter(0));
}
