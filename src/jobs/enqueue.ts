import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { currentTraceparent, inSpan } from '../tracing/tracing.ts';

export type JobKind =
  | 'process-dataset'
  | 'extract-observations'
  | 'make-view'
  | 'count-pixels'
  | 'make-features'
  | 'copy-reference'
  | 'move-inputs'
  | 'make-layer'
  | 'count-areas'
  | 'make-result'
  | 'make-atlas'
  | 'make-polygons'
  | 'make-input'
  | 'zonal-table'
  | 'match-table'
  | 'deliver-webhook'
  | 'run-landscape';

/**
 * Adds a job to the ledger, in the transaction of the state that it serves. At most one live job of each kind exists per subject. After
 * the commit, notify the message queue of the returned id; a lost notification only delays the job until the next poll.
 */
export async function enqueueJob(trx: Transaction, kind: JobKind, refId: string): Promise<string> {
  return await insertJob(kind, refId, async (job) => {
    await trx.insertInto('jobs').values(job).execute();
    return job.id;
  });
}

/** Enqueues a job, unless another transaction has enqueued one of this kind for the subject. @returns the id of a new job */
export async function enqueueUnlessLive(
  trx: Transaction,
  kind: JobKind,
  refId: string,
): Promise<string | undefined> {
  return await insertJob(kind, refId, async (job) => {
    const row = await trx
      .insertInto('jobs')
      .values(job)
      .onConflict((conflict) =>
        conflict.columns(['kind', 'ref_id']).where('state', 'in', ['queued', 'running']).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  });
}

async function insertJob<T>(
  kind: JobKind,
  refId: string,
  insert: (job: { id: string; kind: JobKind; ref_id: string; trace: string | null }) => Promise<T>,
): Promise<T> {
  const id = randomUUID();
  const attributes = { 'steppe.job.id': id, 'steppe.ref.id': refId };
  return await inSpan(
    { name: `enqueue ${kind}`, kind: 'producer', attributes },
    async () => await insert({ id, kind, ref_id: refId, trace: currentTraceparent() ?? null }),
  );
}

/**
 * Enqueues the job of a locked row that waits for one, unless it has one. A row lacks its job after a restore from a backup, or when the
 * job was cancelled.
 * @returns the id of a new job, of which the message queue must be notified
 */
export async function enqueueMissingJob(
  trx: Transaction,
  kind: JobKind,
  { id, state }: { readonly id: string; readonly state: string },
): Promise<string | undefined> {
  if (state !== 'pending') return undefined;
  const { rows: live } =
    await sql`select from jobs where ref_id = ${id} and state in ('queued', 'running')`.execute(trx);
  return live.length === 0 ? await enqueueJob(trx, kind, id) : undefined;
}

/**
 * Moves a waiting job, for whose result a client has asked, before all others of its kind. Jobs of other kinds keep their turn, and so does
 * a job that has failed before.
 */
export async function hurryJob(db: Database, kind: JobKind, refId: string): Promise<void> {
  await sql`update jobs set run_after = first.at - interval '1 microsecond'
    from (select min(run_after) as at from jobs where state = 'queued' and kind = ${kind}) first
    where kind = ${kind} and ref_id = ${refId} and state = 'queued' and attempt = 0 and run_after > first.at`.execute(
    db,
  );
}

/** Cancels every live job of a subject that is deleted or cancelled: a worker that still runs one can no longer publish. */
export async function cancelJobs(trx: Transaction, refId: string): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ state: 'cancelled', lease_until: null, finished_at: sql<Date>`now()` })
    .where('ref_id', '=', refId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
}
