import { z } from 'zod';
import type { Database } from '../../database/tables/tables.ts';
import { filesOfDataset } from '../files.ts';
import { storeCounts } from '../statistics.ts';
import { EngineDied } from '../../geo/engine.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { fetchInput, type ProcessingDependencies } from '../input-file.ts';
import { enqueueMissingRows } from '../missing-results.ts';

/** The size of a raster in its report; older reports may lack it. */
const Size = z.object({ width: z.int().optional(), height: z.int().optional() });

/** Enqueues jobs for ready rasters without statistics. */
export const enqueueMissingStatistics = async (db: Database) =>
  await enqueueMissingRows(db, { table: 'raster_statistics', fileType: 'raster', kind: 'count-pixels' });

/**
 * Counts the pixels of a ready raster: pending → counted. The dataset, its status and its time of change stay the same.
 * Safe to interrupt and repeat: nothing is visible before it is published.
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
  if (dataset === undefined) return; // deleted, or already done
  const task = await fetchInput(dependencies, attempt, { ...dataset, filename: 'cog.tif' }, 'cog');
  const counts = await dependencies.engine.countPixels(task);
  const { width = counts.width, height = counts.height } = Size.parse(JSON.parse(dataset.raster ?? '{}'));
  if (counts.width !== width || counts.height !== height)
    throw new EngineDied('the geo engine counted another raster');
  await attempt.publish(async (trx) => await storeCounts(trx, attempt.refId, counts));
}
