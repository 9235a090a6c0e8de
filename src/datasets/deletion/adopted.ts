import { sql } from 'kysely';
import type { Transaction } from '../../database/tables/tables.ts';
import { datasetProblems } from '../../messages/datasets.ts';

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
