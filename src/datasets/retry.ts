import { enqueueJob } from '../jobs/enqueue.ts';
import type { Database, Transaction } from '../database/tables/tables.ts';
import { inTransaction, nextUpdatedAt } from '../database/transaction.ts';
import type { MessageQueue } from '../message-queue/message-queue.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { filesOfDataset } from './files.ts';
import type { DatasetRow } from './schema.ts';

/**
 * Returns a failed dataset to the state before the failed step and enqueues that step: failed → pending, or failed →
 * extracting with its current mapping. Of several concurrent calls, one succeeds.
 * @throws {Problem} `not_found`, or `conflict` in any other status.
 */
export async function retryDataset(
  { db, messageQueue }: { readonly db: Database; readonly messageQueue: MessageQueue },
  id: string,
): Promise<DatasetRow> {
  const { row, jobId } = await inTransaction(db, async (trx) => {
    const dataset = await lockFailed(trx, id);
    // A mapping can be stored only after the file has been read; from then on only extractions follow.
    const step =
      dataset.kato_column === null
        ? ({ status: 'pending', job: 'process-dataset' } as const)
        : ({ status: 'extracting', job: 'extract-observations' } as const);
    const retried = await trx
      .updateTable('datasets')
      .set({ status: step.status, parse_error: null, failure: null, updated_at: nextUpdatedAt })
      .where('id', '=', id)
      .returningAll()
      .returning(filesOfDataset)
      .executeTakeFirstOrThrow();
    return { row: retried, jobId: await enqueueJob(trx, step.job, id) };
  });
  await messageQueue.notify(jobId, 'datasets');
  return row;
}

/**
 * Returns a dataset whose extraction failed to the wait for a mapping: failed → awaiting_mapping. Results of an earlier
 * mapping stay until the next one has succeeded. Of several concurrent calls, one succeeds.
 * @throws {Problem} `not_found`; `conflict` in any other status, or if the file itself could not be read.
 */
export async function takeMappingBack(db: Database, id: string): Promise<DatasetRow> {
  return await inTransaction(db, async (trx) => {
    const dataset = await lockFailed(trx, id);
    if (dataset.kato_column === null) throw datasetProblems.neverMapped();
    return await trx
      .updateTable('datasets')
      .set({
        status: 'awaiting_mapping',
        kato_column: null,
        year_columns: null,
        parse_error: null,
        failure: null,
        updated_at: nextUpdatedAt,
      })
      .where('id', '=', id)
      .returningAll()
      .returning(filesOfDataset)
      .executeTakeFirstOrThrow();
  });
}

/** @throws {Problem} `not_found`, or `conflict` if the dataset has not failed. */
async function lockFailed(trx: Transaction, id: string): Promise<Pick<DatasetRow, 'kato_column'>> {
  const dataset = await trx
    .selectFrom('datasets')
    .select(['status', 'kato_column'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (dataset === undefined) throw datasetProblems.notFound();
  if (dataset.status !== 'failed') throw datasetProblems.notFailed(dataset.status);
  return dataset;
}
