import { cancelJobs } from '../jobs/enqueue.ts';
import { inTransaction } from '../database/transaction.ts';
import { retireObjects } from '../object-store/ledger.ts';
import { sweepObjects } from '../object-store/sweeper.ts';
import { datasetProblems } from '../messages/datasets.ts';
import { geoJsonColumns, seriesColumns } from './geojson-forms.ts';
import type { StorageDependencies } from './original/receive-file.ts';
import { viewColumns } from './view.ts';

/** The longest time for which a caller waits until unreachable bytes are removed. */
const sweepBudgetMs = 2000;

/**
 * Deletes a dataset with its jobs and objects. Its observations, which may be millions, lose their owner here; the
 * sweeper removes them, as it does with objects that cannot be removed at once.
 * @throws {Problem} `not_found`
 */
export async function deleteDataset({ db, objectStore }: StorageDependencies, id: string): Promise<void> {
  const retired = await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('datasets')
      .select([
        'storage_key',
        'cog_storage_key',
        'sld_storage_key',
        'rows_storage_key',
        ...geoJsonColumns,
        ...seriesColumns,
        ...viewColumns,
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw datasetProblems.notFound();
    await cancelJobs(trx, id);
    await trx.deleteFrom('datasets').where('id', '=', id).execute();
    return await retireObjects(trx, Object.values(row));
  });
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
}
