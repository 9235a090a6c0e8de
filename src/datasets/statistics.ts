import type { Database, Transaction } from '../database/tables.ts';
import type { RasterCounts } from '../geo/engine.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { datasetProblems } from '../messages/datasets.ts';
import type { RecentDataset } from './recent-datasets.ts';
import type { RasterStatistics } from './statistics-schema.ts';

/** Enqueues the counting of the pixels of a raster, in the transaction that makes it ready. */
export async function startCounting(trx: Transaction, datasetId: string): Promise<void> {
  await trx.insertInto('raster_statistics').values({ dataset_id: datasetId, state: 'pending' }).execute();
  await enqueueJob(trx, 'count-pixels', datasetId);
}

/** Stores what was counted; does nothing for a dataset that is gone. */
export async function storeCounts(
  trx: Transaction,
  datasetId: string,
  { width, height, area_ha, bands }: RasterCounts,
): Promise<void> {
  const counts = JSON.stringify({ pixels: width * height, area_ha, bands });
  await trx
    .updateTable('raster_statistics')
    .set({ state: 'counted', counts })
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'pending')
    .execute();
}

/**
 * Returns the statistics of a ready raster.
 * @throws {Problem} `invalid` for another type, `conflict` before it is ready, `not_found` as long as they are not counted.
 */
export async function readStatistics(
  db: Database,
  { id, file_type: fileType, status }: Pick<RecentDataset, 'id' | 'file_type' | 'status'>,
): Promise<RasterStatistics> {
  if (fileType !== 'raster') throw datasetProblems.noStatistics();
  if (status !== 'ready') throw datasetProblems.noStatisticsYet(status);
  const row = await db
    .selectFrom('raster_statistics')
    .select(['state', 'counts'])
    .where('dataset_id', '=', id)
    .executeTakeFirst();
  if (row?.state === 'failed') throw datasetProblems.notCountable();
  const { counts = null } = row ?? {};
  if (counts === null) throw datasetProblems.notCountedYet();
  return { dataset_id: id, ...JSON.parse(counts) };
}
