import { type RawBuilder, sql, type SqlBool, type UpdateObject } from 'kysely';
import type { Database, Tables } from '../database/tables/tables.ts';
import { inTransaction, uniqueViolation } from '../database/transaction.ts';
import { LeaseLost } from './handler.ts';
import type { Lane } from './lanes.ts';
import { backOffSeconds } from './retry-decision.ts';

/** Proves that an attempt holds a job: the id of the job, and the number of the attempt as fencing token. */
export interface Hold {
  readonly jobId: string;
  readonly attempt: number;
}

export interface ClaimedJob extends Hold {
  readonly kind: string;
  readonly refId: string;
  /** The trace context of the span that enqueued the job. */
  readonly trace: string | null;
}

type JobChange = UpdateObject<Tables, 'jobs'>;

/** Uses the clock of the database, because the clock of a worker may be wrong by days. */
export function secondsFromNow(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** A background job that has waited longer than this no longer gives precedence to other jobs, so that it runs eventually. */
const backgroundPatienceSeconds = 600;

/**
 * Claims the job of a lane that has waited longest, if there is one. Background jobs are claimed only when no other job waits, in the
 * order of their kinds. A serial lane gives the oldest unfinished job, and only while none is running: a postponed job, and one whose
 * dead worker is not detected yet, hold back the younger ones.
 */
export async function claimJob(
  db: Database,
  worker: string,
  lane: Pick<Lane, 'kinds' | 'background' | 'serial'>,
  leaseSeconds: number,
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    update jobs set state = 'running', attempt = attempt + 1, worker = ${worker},
      lease_until = ${secondsFromNow(leaseSeconds)}
    where id = (${lane.serial ? nextInTurn(lane.kinds) : longestWaiting(lane)}) and state = 'queued' and run_after <= now()
    returning id as "jobId", kind, ref_id as "refId", attempt, trace`
    .execute(db)
    .catch((error: unknown) => {
      if (uniqueViolation(error) === 'jobs_one_run') return { rows: [] }; // another worker claimed one at the same time
      throw error;
    });
  return rows[0];
}

/** Looks for background jobs only when there is no other, one kind after the other. */
function longestWaiting({ kinds, background }: Pick<Lane, 'kinds' | 'background'>) {
  const longest = (isMeant: RawBuilder<SqlBool>) => sql`(
    select id from jobs where state = 'queued' and run_after <= now() and ${isMeant}
    order by run_after for update skip locked limit 1)`;
  const isForeground = sql<SqlBool>`kind = any(${kinds})`;
  if (background.length === 0) return longest(isForeground);
  const isBackground = sql<SqlBool>`kind = any(${background})`;
  const isOld = sql<SqlBool>`run_after < now() - make_interval(secs => ${backgroundPatienceSeconds})`;
  const inTurn = [
    sql<SqlBool>`(${isForeground} or (${isBackground} and ${isOld}))`,
    ...background.map((kind) => sql<SqlBool>`kind = ${kind}`),
  ];
  return sql`select coalesce(${sql.join(inTurn.map(longest))})`;
}

/** Selects the running job, which cannot be claimed; otherwise the oldest waiting job. */
function nextInTurn(kinds: readonly string[]) {
  return sql`select id from jobs where state in ('queued', 'running') and kind = any(${kinds})
    order by state = 'running' desc, created_at, id limit 1`;
}

/** Renews the leases of the attempts that still hold their job, and returns those that do not. */
export async function renewLeases<Held extends Hold>(
  db: Database,
  holds: readonly Held[],
  leaseSeconds: number,
): Promise<ReadonlySet<Held>> {
  const { rows } = await sql<Hold>`
    update jobs set lease_until = ${secondsFromNow(leaseSeconds)}
    from unnest(${holds.map((hold) => hold.jobId)}::uuid[], ${holds.map((hold) => hold.attempt)}::int[])
      as held (id, attempt)
    where jobs.id = held.id and jobs.attempt = held.attempt and jobs.state = 'running'
    returning jobs.id as "jobId", jobs.attempt`.execute(db);
  const isHeld = (hold: Hold): boolean =>
    rows.some((row) => row.jobId === hold.jobId && row.attempt === hold.attempt);
  return new Set(holds.filter((hold) => !isHeld(hold)));
}

/** Queues the jobs whose lease has expired. Any number of workers may do this at once. */
export async function requeueDeadJobs(db: Database) {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; kind: string; worker_deaths: number }>`
      select id, kind, worker_deaths from jobs where state = 'running' and lease_until < now()
      limit 100 for update skip locked`.execute(trx);
    const dead = rows.map(({ id, kind, worker_deaths }) => ({
      jobId: id,
      kind,
      workerDeaths: worker_deaths + 1,
      backOffSeconds: backOffSeconds(worker_deaths + 1),
    }));
    for (const job of dead) {
      await trx
        .updateTable('jobs')
        .set({ ...queuedAfter(job.backOffSeconds), worker_deaths: job.workerDeaths })
        .where('id', '=', job.jobId)
        .execute();
    }
    return dead;
  });
}

/** Deletes a batch of jobs that ended long ago; returns the number. Any number of workers may do this at once. */
export async function pruneJobs(db: Database, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from jobs where id in (
    select id from jobs where finished_at < now() - make_interval(days => ${days})
    order by finished_at limit 1000 for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export function ended(state: 'done' | 'failed'): JobChange {
  return { state, lease_until: null, finished_at: secondsFromNow(0) };
}

/** Returns the change that queues a job again after a delay. */
export function queuedAfter(seconds: number): JobChange {
  return { state: 'queued', lease_until: null, worker: null, run_after: secondsFromNow(seconds) };
}

/**
 * THE FENCE: changes the job of an attempt that still holds it, as the last statement of the transaction. (Last, so that rows are locked
 * in the order dataset, job, as in a deletion.)
 * @throws LeaseLost, which must roll the transaction back.
 */
export async function changeHeldJob(trx: Database, hold: Hold, change: JobChange): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set(change)
    .where('id', '=', hold.jobId)
    .where('attempt', '=', hold.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new LeaseLost(hold.jobId, hold.attempt);
}

/** Returns the numbers of failures of a job, by kind; undefined when this attempt does not hold it. */
export async function readHeldJob(db: Database, hold: Hold) {
  return await db
    .selectFrom('jobs')
    .select([
      'engine_deaths as engineDeaths',
      'worker_deaths as workerDeaths',
      'unexpected_errors as unexpectedErrors',
    ])
    .where('id', '=', hold.jobId)
    .where('attempt', '=', hold.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
}

/**
 * Ends every lease: running jobs can be claimed at the next poll, unfinished objects swept, and keys of requests taken. Call it only at
 * the start of the service on the embedded database: one service locks its DATA_DIR, so the holder of any lease is dead. In other
 * databases a lease may belong to another machine. Counts as the death of a worker, because a job may have ended the service.
 */
export async function voidLeases(db: Database): Promise<void> {
  await voidJobLeases(db);
  await sql`update objects set lease_until = '-infinity' where state = 'writing'`.execute(db);
  await sql`update idempotency_keys set lease_until = '-infinity' where status is null`.execute(db);
}

/**
 * Ends the lease of every running job, so that the next worker claims them at once. Call it on the embedded database, when its only
 * worker has died; uploads in progress in the api keep their leases.
 */
export async function voidJobLeases(db: Database): Promise<void> {
  await sql`update jobs set lease_until = '-infinity' where state = 'running'`.execute(db);
}
