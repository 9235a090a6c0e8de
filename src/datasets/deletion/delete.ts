import { sql, type SqlBool } from 'kysely';
import { cancelJobs } from '../../jobs/enqueue.ts';
import { removeResults } from '../../jobs/results.ts';
import { inTransaction } from '../../database/transaction.ts';
import { retireObjects } from '../../object-store/ledger.ts';
import { sweepObjects } from '../../object-store/sweeper.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import type { StorageDependencies } from '../original/receive-file.ts';
import type { Transaction } from '../../database/tables/tables.ts';

/** Longest time for which a caller waits for the removal of unreachable bytes. */
const sweepBudgetMs = 2000;

/**
 * Deletes a dataset with its jobs and objects, and the run layers and atlases derived from it. Its observations,
 * possibly millions, only lose their owner here; the sweeper removes them, and objects that cannot be removed at once.
 * @throws {Problem} `not_found`, `conflict` while an adopted run contains it
 */
export async function deleteDataset({ db, objectStore }: StorageDependencies, id: string): Promise<void> {
  const retired = await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('datasets')
      .select('id')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) throw datasetProblems.notFound();
    await refuseAdopted(trx, id);
    const layers = await removeResults(
      trx,
      'landscape_layers',
      sql<SqlBool>`id in (select layer_id from landscape_layer_inputs where dataset_id = ${id})`,
    );
    const results = await removeResults(trx, 'results', sql<SqlBool>`dataset_id = ${id}`);
    await cancelJobs(trx, id);
    const files = await trx
      .selectFrom('dataset_files')
      .select('object_key')
      .where('dataset_id', '=', id)
      .execute();
    await trx.deleteFrom('datasets').where('id', '=', id).execute();
    const own = await retireObjects(
      trx,
      files.map(({ object_key: key }) => key),
    );
    return [...own, ...layers, ...results];
  });
  await sweepObjects(db, objectStore, { keys: retired, budgetMs: sweepBudgetMs });
}

interface AdoptingRun {
  readonly id: string;
  readonly name: string | null;
  /** Number of adopted runs that contain the dataset. */
  readonly runs: number;
}

/**
 * Refuses to delete a dataset of an adopted run. The transaction holds the lock of the dataset; without it, a run could
 * be adopted in between.
 * @throws {Problem} `conflict`, naming the run
 */
export async function refuseAdopted(trx: Transaction, datasetId: string): Promise<void> {
  const { rows } = await sql<AdoptingRun>`
    select run_id as id, count(*) over ()::int as runs,
      (select name from landscape_run_records record where record.run_id = adopted.run_id
        order by revision desc limit 1) as name
    from adopted_datasets adopted where dataset_id = ${datasetId} order by run_id limit 1`.execute(trx);
  const [run] = rows;
  if (run === undefined) return;
  throw datasetProblems.adopted({ name: run.name ?? run.id, runs: run.runs });
}
