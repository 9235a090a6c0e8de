import { sql } from 'kysely';
import type { Database, DatasetFileKind, Transaction, ViewState } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { addFiles, filesOfDataset, findFile, type NewFile } from '../files.ts';
import { enqueueJob } from '../../jobs/enqueue.ts';
import type { Attempt } from '../../jobs/handler.ts';
import { type ProcessingDependencies, fetchInput } from '../input-file.ts';
import { isResting, mostWaiting } from '../missing-results.ts';

/**
 * Enqueues views for ready rasters that have not been examined (older rasters, those from a process of the previous
 * release, or from a backup), and for those whose job has failed. The newest come first. Any number of processes may do
 * this at once, and each may die; they skip each other's jobs.
 * @returns the number of jobs, at most a few, and true if there are more
 */
export async function enqueueMissingViews(db: Database) {
  const lacking = sql`file_type = 'raster' and status = 'ready' and (view_state is null or view_state = 'failed')
    and not (view_state is not null and ${isResting('make-view', sql`datasets.id`)})`;
  return await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      update datasets set view_state = 'pending' where id in (
        select id from datasets where ${lacking}
        order by created_at desc, id limit greatest(0, ${mostWaiting} - (
          select count(*) from jobs where state in ('queued', 'running') and kind = 'make-view'))
        for update skip locked)
      returning id`.execute(trx);
    for (const { id } of rows) await enqueueJob(trx, 'make-view', id);
    const left = await sql`select from datasets where ${lacking} limit 1`.execute(trx);
    return { enqueued: rows.length, areLeft: left.rows.length > 0 };
  });
}

/**
 * Makes the files that a ready raster is drawn from: pending → made, or none if it can never be drawn. The dataset, its
 * status and its time of change stay the same. Safe to interrupt and repeat: nothing is visible before it is published.
 */
export async function makeView(dependencies: ProcessingDependencies, attempt: Attempt): Promise<void> {
  const dataset = await dependencies.db
    .selectFrom('datasets')
    .select(filesOfDataset)
    .where('id', '=', attempt.refId)
    .where('status', '=', 'ready')
    .where('view_state', '=', 'pending')
    .executeTakeFirst();
  if (dataset === undefined) return; // deleted, or already done
  const task = await fetchInput(dependencies, attempt, { ...dataset, filename: 'cog.tif' }, 'cog');
  const { meshPath, viewPath } = await dependencies.engine.makeView(task);
  const files: NewFile[] = [];
  const store = async (kind: DatasetFileKind, path: string | undefined, extension: string) => {
    if (path !== undefined) files.push({ kind, key: await attempt.store('view', extension, { path }) });
  };
  // The conversion has made the same mesh.
  if (findFile(dataset.files, 'view_mesh') === null) await store('view_mesh', meshPath, '.mesh');
  await store('view_cog', viewPath, '.tif');
  const view_state: ViewState = meshPath === undefined ? 'none' : 'made';
  await attempt.publish(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({ view_state })
      .where('id', '=', attempt.refId)
      .where('view_state', '=', 'pending')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await addFiles(trx, attempt.refId, files);
  });
}

/** Leaves a dataset ready and without a view for now. */
export async function recordViewFailure(trx: Transaction, datasetId: string): Promise<void> {
  await trx
    .updateTable('datasets')
    .set({ view_state: 'failed' })
    .where('id', '=', datasetId)
    .where('view_state', '=', 'pending')
    .execute();
}
