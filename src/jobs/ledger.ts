import { type RawBuilder, sql, type SqlBool, type UpdateObject } from 'kysely';
import type { Database, Tables } from '../database/tables/tables.ts';
import { inTransaction, uniqueViolation } from '../database/transaction.ts';
import { LeaseLost } from './handler.ts';
import type { Lane } from './lanes.ts';
import { backOffSeconds } from './retry-decision.ts';

/** Proves that an attempt holds a job: the job, and the attempt as fencing token. */
export interface Hold {
  readonly jobId: string;
  readonly attempt: number;
}

export interface ClaimedJob extends Hold {
  readonly kind: string;
  readonly refId: string;
  /** The span that enqueued it. */
  readonly trace: string | null;
}

type JobChange = UpdateObject<Tables, 'jobs'>;

/** Reckons by the database's clock; a worker's own may be wrong by days. */
export function secondsFromNow(seconds: number) {
  return sql<Date>`now() + make_interval(secs => ${seconds})`;
}

/** Work in the background that has waited for so long waits for no more than its turn: it is done in the end, however much else comes. */
const backgroundPatienceSeconds = 600;

/**
 * Takes a job of a lane, if there is one to take: the one that has waited longest. Jobs of the background come only where nothing else
 * waits, in the order of their kinds. A serial lane gives the oldest job that is not finished, and only while none is running: one that
 * waits for its time there holds back the younger ones, and so does one whose worker is dead until this is noticed.
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
      if (uniqueViolation(error) === 'jobs_one_run') return { rows: [] }; // another worker claimed one just now
      throw error;
    });
  return rows[0];
}

/** Looks into the background only when there is nothing else, and there for one kind after the other. */
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

/** Selects the one that is running, which cannot be claimed; without one, the oldest that waits. */
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

/** Queues the jobs whose worker has let its lease run out. Any number of workers may do this at once. */
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

/** Forgets jobs that ended long ago, a portion at a time; returns how many. Any number of workers may do this at once. */
export async function pruneJobs(db: Database, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from jobs where id in (
    select id from jobs where finished_at < now() - make_interval(days => ${days})
    order by finished_at limit 1000 for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** The change that ends a job. */
export function ended(state: 'done' | 'failed'): JobChange {
  return { state, lease_until: null, finished_at: secondsFromNow(0) };
}

/** The change that makes a job wait again. */
export function queuedAfter(seconds: number): JobChange {
  return { state: 'queued', lease_until: null, worker: null, run_after: secondsFromNow(seconds) };
}

/**
 * THE FENCE: changes the job of an attempt that still holds it, as the last statement of the transaction of everything
 * that must happen only then (last, so that rows are locked in the order dataset, job, as a delete does).
 * @throws LeaseLost, which has to roll the transaction back.
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

/** Returns how often a job has failed so far, by kind; undefined when this attempt does not hold it. */
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
 * Ends every lease there is: running jobs can be claimed at the next look, unfinished objects be swept, keys of requests be taken. For the start of
 * the service on the embedded database alone: its DATA_DIR is locked by one service, so the holder of a lease was part of
 * one that is dead. Anywhere else a lease may be another machine's. Counts as a worker's death, because a job may well
 * have been what ended the service.
 */
export async function voidLeases(db: Database): Promise<void> {
  await voidJobLeases(db);
  await sql`update objects set lease_until = '-infinity' where state = 'writing'`.execute(db);
  await sql`update idempotency_keys set lease_until = '-infinity' where status is null`.execute(db);
}

/**
 * Ends the lease of every running job, so that the next worker takes them up at once. For a service on the embedded
 * database whose only worker has just died; uploads that the api has under way keep their leases.
 */
export async function voidJobLeases(db: Database): Promise<void> {
  await sql`update jobs set lease_until = '-infinity' where state = 'running'`.execute(db);
}
