import type { Database } from '../../database/tables/tables.ts';
import { addFiles, filesOfDataset } from '../files.ts';
import { storeFeatures } from '../vector-features.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { fetchInput, type ProcessingDependencies } from '../input-file.ts';
import { enqueueMissingRows } from '../missing-results.ts';

/** Enqueues jobs for ready vectors without features. */
export const enqueueMissingFeatures = async (db: Database) =>
  await enqueueMissingRows(db, { table: 'vector_features', fileType: 'vector', kind: 'make-features' });

/**
 * Writes the features of a ready vector: pending → made, or none. The dataset, its status and its time of change stay
 * the same. Safe to interrupt and repeat: nothing is visible before it is published.
 */
export async function makeFeatures(dependencies: ProcessingDependencies, attempt: Attempt): Promise<void> {
  const dataset = await dependencies.db
    .selectFrom('datasets')
    .innerJoin('vector_features', 'vector_features.dataset_id', 'datasets.id')
    .select(['filename', filesOfDataset])
    .where('datasets.id', '=', attempt.refId)
    .where('status', '=', 'ready')
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (dataset === undefined) return; // deleted, or already done
  const task = await fetchInput(dependencies, attempt, dataset);
  const { features } = await dependencies.engine.writeFeatures(task);
  const key = features && (await attempt.store('features', '.fgb', { path: features.path }));
  await attempt.publish(async (trx) => {
    if (!(await storeFeatures(trx, attempt.refId, features))) return;
    if (key !== undefined) await addFiles(trx, attempt.refId, [{ kind: 'fgb', key }]);
  });
}
