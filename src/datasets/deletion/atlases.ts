import type { Transaction } from '../../database/tables/tables.ts';
import { cancelJobs } from '../../jobs/enqueue.ts';
import { retireObjects } from '../../object-store/ledger.ts';

/** Removes the atlases of a dataset, with their jobs. @returns the keys of the objects that are retired */
export async function removeAtlasesOf(trx: Transaction, datasetId: string): Promise<string[]> {
  const atlases = await trx
    .deleteFrom('sheet_atlases')
    .where('dataset_id', '=', datasetId)
    .returning(['id', 'object_key'])
    .execute();
  const retired = await retireObjects(
    trx,
    atlases.map(({ object_key: key }) => key),
  );
  for (const { id } of atlases) await cancelJobs(trx, id);
  return retired;
}
