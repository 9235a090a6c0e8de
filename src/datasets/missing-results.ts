import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Logger } from 'pino';
import type { Database, FileType } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { enqueueJob, type JobKind } from '../jobs/enqueue.ts';
import type { JobHandler } from '../jobs/handler.ts';
import { isFinal, retryAfterSeconds } from '../jobs/results.ts';
import { startRepeating } from '../lib/concurrency/repeating.ts';

/** Maximum number of waiting jobs of a kind: jobs run in order, and new uploads must not wait for a thousand old rasters. */
export const mostWaiting = 8;
const timing = { firstAfterMs: 30_000, everyMs: 5_000, idleMs: 600_000 };

/** Enqueues jobs for a few datasets without a result. @returns the number of jobs, and true if there are more. */
type EnqueueMissing = (db: Database) => Promise<{ readonly enqueued: number; readonly areLeft: boolean }>;

/**
 * Looks for datasets without a result until it is closed: often while there are some, and occasionally for new ones.
 * @param what name of the result, for the log.
 */
export function startMissing(
  db: Database,
  log: Pick<Logger, 'info' | 'warn'>,
  { what, enqueueMissing }: { readonly what: string; readonly enqueueMissing: EnqueueMissing },
) {
  return startRepeating(async () => {
    const { enqueued, areLeft } = await enqueueMissing(db).catch((err: unknown) => {
      log.warn({ err }, `datasets without ${what} are looked for again`);
      return { enqueued: 0, areLeft: true };
    });
    if (enqueued > 0) log.info({ datasets: enqueued }, `${what} of older datasets enqueued`);
    return areLeft ? timing.everyMs : timing.idleMs;
  }, timing.firstAfterMs);
}

/** A table with a row for each ready dataset of a type, which a job fills in. */
interface ResultTable {
  readonly table: 'raster_statistics' | 'vector_features';
  readonly fileType: FileType;
  readonly kind: JobKind;
}

/**
 * True while a dataset's last job has failed too recently for a retry: the delay is a minute after the first failure,
 * and doubles with each further one, up to a day. A file that kills the engine each time must not occupy it forever.
 */
export const isResting = (job: JobKind, datasetId: RawBuilder<unknown>) => sql<SqlBool>`coalesce((
  select max(finished_at) > now() - make_interval(secs => least(${retryAfterSeconds} * 2 ^ (count(*) - 1), 86400))
  from jobs where ref_id = ${datasetId} and kind = ${job} and state = 'failed'), false)`;

/**
 * Enqueues jobs for ready datasets without a row (older datasets, those from a process of the previous release, or from
 * a backup), and for those whose job has failed, unless their file caused the failure. The newest come first. Any
 * number of processes may do this at once, and each may die.
 */
export async function enqueueMissingRows(
  db: Database,
  { table, fileType, kind }: ResultTable,
): ReturnType<EnqueueMissing> {
  const isToMake = sql`made.state = 'failed' and not made.is_final and not ${isResting(kind, sql`dataset_id`)}`;
  const lacking = sql`file_type = ${fileType} and status = 'ready'
    and not exists (select from ${sql.table(table)} made where made.dataset_id = datasets.id and not (${isToMake}))`;
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into ${sql.table(table)} as made (dataset_id, state)
        select id, 'pending' from datasets where ${lacking}
        order by created_at desc, id limit greatest(0, ${mostWaiting} - (
          select count(*) from jobs where state in ('queued', 'running') and kind = ${kind}))
        for update skip locked
      on conflict (dataset_id) do update set state = 'pending' where made.state = 'failed'
      returning dataset_id as id`.execute(trx);
    for (const { id } of rows) await enqueueJob(trx, kind, id);
    const left = await sql`select from datasets where ${lacking} limit 1`.execute(trx);
    return { enqueued: rows.length, areLeft: left.rows.length > 0 };
  });
}

/** Leaves a dataset ready and without the result of its job, permanently only if its file caused the failure. */
export const recordFailureIn =
  (table: ResultTable['table']): JobHandler['fail'] =>
  async (trx, datasetId, failure) => {
    await trx
      .updateTable(table)
      .set({ state: 'failed', is_final: isFinal(failure) })
      .where('dataset_id', '=', datasetId)
      .where('state', '=', 'pending')
      .execute();
  };
