import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables/tables.ts';
import type { RasterCounts } from '../geo/engine.ts';
import { enqueueJob, hurryJob } from '../jobs/enqueue.ts';
import type { PendingResult } from '../jobs/results.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import type { RecentDataset } from './recent-datasets.ts';
import type { RasterStatistics } from './statistics-schema.ts';

/** Enqueues counting jobs for ready rasters; skips those that are already counted or deleted. */
export async function startCounting(trx: Transaction, datasetIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    insert into raster_statistics (dataset_id, state)
      select id, 'pending' from datasets
        where id = any(${datasetIds}::uuid[]) and file_type = 'raster' and status = 'ready' for key share
    on conflict do nothing
    returning dataset_id as id`.execute(trx);
  for (const { id } of rows) await enqueueJob(trx, 'count-pixels', id);
}

/** Stores statistics that were counted during the creation of a raster; does nothing if counting has already been enqueued. */
export async function addCounts(trx: Transaction, datasetId: string, counts: RasterCounts): Promise<void> {
  await trx
    .insertInto('raster_statistics')
    .values({ dataset_id: datasetId, state: 'counted', counts: storedCounts(counts) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores statistics; does nothing for a deleted dataset. */
export async function storeCounts(trx: Transaction, datasetId: string, counts: RasterCounts): Promise<void> {
  await trx
    .updateTable('raster_statistics')
    .set({ state: 'counted', counts: storedCounts(counts) })
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'pending')
    .execute();
}

function storedCounts({ width, height, area_ha, bands }: RasterCounts): string {
  return JSON.stringify({ pixels: width * height, area_ha, bands });
}

/**
 * Returns the statistics of a ready raster.
 * @throws {Problem} `invalid` for another type, `conflict` before it is ready, `not_found` before they are counted.
 */
export async function readStatistics(
  db: Database,
  { id, file_type: fileType, status }: Pick<RecentDataset, 'id' | 'file_type' | 'status'>,
): Promise<RasterStatistics> {
  if (fileType !== 'raster') throw datasetProblems.noStatistics();
  if (status !== 'ready') throw datasetProblems.noStatisticsYet(status);
  const counts = await countsOf(db, id);
  if (counts === null) throw datasetProblems.notCountedYet();
  return { dataset_id: id, ...JSON.parse(counts) };
}

/** Returns the state of counting, for requests that wait for it, and counts their rasters first. @throws {Problem} if the pixels cannot be counted */
export async function countingOf(
  db: Database,
  { id, file_type: fileType, status }: Pick<RecentDataset, 'id' | 'file_type' | 'status'>,
): Promise<{ readonly isPending: false } | PendingResult> {
  const isToCome = fileType === 'raster' && status === 'ready' && (await countsOf(db, id)) === null;
  if (!isToCome) return { isPending: false };
  await hurryJob(db, 'count-pixels', id);
  return { isPending: true, ref: id };
}

/** Null before they are counted. */
async function countsOf(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('raster_statistics')
    .select(['state', 'counts', 'is_final'])
    .where('dataset_id', '=', id)
    .executeTakeFirst();
  if (row?.state === 'failed')
    throw row.is_final ? datasetProblems.notCountable() : datasetProblems.notCounted();
  return row?.counts ?? null;
}
