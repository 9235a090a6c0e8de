import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, FileType } from '../database/tables/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { enqueueJob, type JobKind } from '../jobs/enqueue.ts';
import { startRepeating } from '../lib/concurrency/repeating.ts';

/** So many jobs of a kind wait at most: they come in their order, and what was just uploaded must not wait for a thousand old rasters. */
export const mostWaiting = 8;
const timing = { firstAfterMs: 30_000, everyMs: 5_000, idleMs: 600_000 };

/** Enqueues jobs for a few datasets that lack something. @returns how many it was, and whether there are more. */
type EnqueueMissing = (db: Database) => Promise<{ readonly enqueued: number; readonly areLeft: boolean }>;

/**
 * Looks for datasets that lack something until it is closed: often while there are some, and now and then for new ones.
 * @param what they lack, for the log.
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

/** A table with a row for each ready dataset of a type, which a job fills. */
interface ResultTable {
  readonly table: 'raster_statistics' | 'vector_features';
  readonly fileType: FileType;
  readonly kind: JobKind;
}

/**
 * Enqueues jobs for ready datasets without a row: those from before there was the table, from a process of the release before, or from a
 * backup. The newest come first. Any number of processes may do this at once, and any may die.
 */
export async function enqueueMissingRows(
  db: Database,
  { table, fileType, kind }: ResultTable,
): ReturnType<EnqueueMissing> {
  const lacking = sql`file_type = ${fileType} and status = 'ready'
    and not exists (select from ${sql.table(table)} made where made.dataset_id = datasets.id)`;
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into ${sql.table(table)} (dataset_id, state)
        select id, 'pending' from datasets where ${lacking}
        order by created_at desc, id limit greatest(0, ${mostWaiting} - (
          select count(*) from jobs where state in ('queued', 'running') and kind = ${kind}))
        for update skip locked
      on conflict do nothing
      returning dataset_id as id`.execute(trx);
    for (const { id } of rows) await enqueueJob(trx, kind, id);
    const left = await sql`select from datasets where ${lacking} limit 1`.execute(trx);
    return { enqueued: rows.length, areLeft: left.rows.length > 0 };
  });
}
