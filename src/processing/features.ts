import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { addFiles, filesOfDataset } from '../datasets/files.ts';
import { storeFeatures } from '../datasets/vector-features.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import type { Attempt } from '../jobs/handler.ts';
import { fetchInput, type ProcessingDependencies } from './input-file.ts';
import { mostWaiting } from './missing-results.ts';

/**
 * Enqueues the writing of the features of ready vectors that have none: those from before there was a FlatGeobuf, from a process of the release
 * before, or from a backup. The newest come first. Any number of processes may do this at once, and any may die.
 * @returns how many it was, at most a few, and whether there are more.
 */
export async function enqueueMissingFeatures(db: Database) {
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into vector_features (dataset_id, state)
        select id, 'pending' from datasets where file_type = 'vector' and status = 'ready'
          and not exists (select from vector_features v where v.dataset_id = datasets.id)
        order by created_at desc, id limit greatest(0, ${mostWaiting} - (
          select count(*) from jobs where state in ('queued', 'running') and kind = 'make-features'))
        for update skip locked
      on conflict do nothing
      returning dataset_id as id`.execute(trx);
    for (const { id } of rows) await enqueueJob(trx, 'make-features', id);
    const left = await sql`select from datasets where file_type = 'vector' and status = 'ready'
      and not exists (select from vector_features v where v.dataset_id = datasets.id) limit 1`.execute(trx);
    return { enqueued: rows.length, areLeft: left.rows.length > 0 };
  });
}

/**
 * Writes the features of a ready vector: pending → made, or none. The dataset itself, its status and its time of change stay as they are. May die
 * anywhere and run again: nothing is seen of it before it is published.
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
  if (dataset === undefined) return; // deleted, or done before
  const task = await fetchInput(dependencies, attempt, dataset);
  const { features } = await dependencies.engine.writeFeatures(task);
  const key = features && (await attempt.store('features', '.fgb', { path: features.path }));
  await attempt.publish(async (trx) => {
    if (!(await storeFeatures(trx, attempt.refId, features))) return;
    if (key !== undefined) await addFiles(trx, attempt.refId, [{ kind: 'fgb', key }]);
  });
}

/** Leaves a dataset ready, and without a FlatGeobuf for good. */
export async function recordFeatureFailure(trx: Transaction, datasetId: string): Promise<void> {
  await trx
    .updateTable('vector_features')
    .set({ state: 'failed' })
    .where('dataset_id', '=', datasetId)
    .where('state', '=', 'pending')
    .execute();
}
