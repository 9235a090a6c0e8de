import { inTransaction } from '../database/transaction.ts';
import type { Database } from '../database/tables.ts';
import { writeDraft } from '../object-store/ledger.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Attempt } from './handler.ts';
import { changeHeldJob, ended, secondsFromNow, type ClaimedJob } from './ledger.ts';

export interface AttemptDependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly leaseSeconds: number;
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Takes the drafts that `store` makes, to be disposed of when the attempt has ended. */
  readonly drafts: AsyncDisposableStack;
  onPublished(): void;
}

/** Gives a claimed job its handler's view: every door to what others see is fenced. */
export function createAttempt(parts: AttemptDependencies, job: ClaimedJob): Attempt {
  const { db, objectStore, leaseSeconds, scratch, signal, drafts, onPublished } = parts;
  return {
    jobId: job.jobId,
    number: job.attempt,
    refId: job.refId,
    scratch,
    signal,
    async fenced(work, { madeProgress } = { madeProgress: false }) {
      return await inTransaction(db, async (trx) => {
        const result = await work(trx);
        await changeHeldJob(trx, job, {
          lease_until: secondsFromNow(leaseSeconds),
          ...(madeProgress ? { engine_deaths: 0, worker_deaths: 0 } : {}),
        });
        return result;
      });
    },
    async publish(work) {
      await inTransaction(db, async (trx) => {
        await work(trx);
        await changeHeldJob(trx, job, ended('done'));
      });
      onPublished();
    },
    async store(folder, extension, body) {
      const key = `${folder}/${job.refId}/${job.jobId}-${job.attempt}${extension}`;
      drafts.use(await writeDraft(db, objectStore, key, body));
      return key;
    },
  };
}
