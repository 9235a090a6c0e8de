import type { Transaction } from '../../database/tables/tables.ts';
import { cancelJobs } from '../../jobs/enqueue.ts';
import { retireObjects } from '../../object-store/ledger.ts';

/** Removes the layers of runs that are made of a dataset, with their jobs. @returns the keys of the objects that are retired */
export async function removeLayersOf(trx: Transaction, datasetId: string): Promise<string[]> {
  const layers = await trx
    .deleteFrom('landscape_layers')
    .where('id', 'in', (inputs) =>
      inputs.selectFrom('landscape_layer_inputs').select('layer_id').where('dataset_id', '=', datasetId),
    )
    .returning(['id', 'cog_key', 'mesh_key'])
    .execute();
  const retired = await retireObjects(
    trx,
    layers.flatMap(({ cog_key: cog, mesh_key: mesh }) => [cog, mesh]),
  );
  for (const { id } of layers) await cancelJobs(trx, id);
  return retired;
}
