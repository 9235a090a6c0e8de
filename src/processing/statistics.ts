import { sql } from 'kysely';
import { z } from 'zod';
import type { Database, Transaction } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { filesOfDataset } from '../datasets/files.ts';
import { storeCounts } from '../datasets/statistics.ts';
import { EngineDied } from '../geo/engine.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Attempt } from '../jobs/handler.ts';
import { fetchInput, type ProcessingDependencies } from './input-file.ts';
import { mostWaiting } from './missing-results.ts';

/** The size of a raster in its report, which older ones may lack. */
const Size = z.object({ width: z.int().optional(), height: z.int().optional() });

/**
 * Enqueues the counting of ready rasters that have no statistics: those from before there were any, from a process of the release
 * before, or from a backup. The newest come first. Any number of processes may do this at once, and any may die.
 * @returns how many it was, at most a few, and whether there are more.
 */
export async function enqueueMissingStatistics(db: Database) {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into raster_statistics (dataset_id, state)
        select id, 'pending' from datasets where file_type = 'raster' and status = 'ready'
          and not exists (select from raster_statistics s where s.dataset_id = datasets.id)
        order by created_at desc, id limit greatest(0, ${mostWaiting} - (
          select count(*) from jobs where state in ('queued', 'running') and kind = 'count-pixels'))
        for update skip locked
      on conflict do nothing
      returning dataset_id as id`.execute(trx);
    for (const { id } of rows) await enqueueJob(trx, 'count-pixels', id);
    const left = await sql`select from datasets where file_type = 'raster' and status = 'ready'
      and not exists (select from raster_statistics s where s.dataset_id = datasets.id) limit 1`.execute(trx);
    return { enqueued: rows.length, areLeft: left.rows.length > 0 };
  });
}

/**
 * Counts the pixels of a ready raster: pending → counted. The dataset itself, its status and its time of change stay as they are. May die
 * anywhere and run again: nothing is seen of it before it is published.
 */
export async function countPixels(dependencies: ProcessingDependencies, attempt: Attempt): Promise<void> {
  const dataset = await dependencies.db
    .selectFrom('datasets')
    .innerJoin('raster_statistics', 'raster_statistics.dataset_id', 'datasets.id')
    .leftJoin('import_reports', 'import_reports.dataset_id', 'datasets.id')
    .select([filesOfDataset, 'raster'])
    .where('datasets.id', '=', attempt.refId)
    .where('status', '=', 'ready')
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (dataset === undefined) return; // deleted, or done before
  const task = await fetchInput(dependencies, attempt, { ...dataset, filename: 'cog.tif' }, 'cog');
  const counts = await dependencies.engine.countPixels(task);
  const { width = counts.width, height = counts.height } = Size.parse(JSON.parse(dataset.raster ?? '{}'));
  if (counts.width !== width || counts.height !== height)
    throw new EngineDied('the geo engine counted another raster');
  await attempt.publish(async (trx) => await storeCounts(trx, attempt.refId, counts));
}

/** Leaves a dataset ready, and without statistics for good. */
export async function recordCountFailure(trx: Transaction, datasetId: string): Promise<void> {
  await trx
    .updateTable('raster_statistics')
    .set({ state: 'failed' })
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'pending')
    .execute();
}
