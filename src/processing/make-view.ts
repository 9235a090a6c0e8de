import type { Transaction, ViewState } from '../database/tables.ts';
import type { Attempt } from '../jobs/handler.ts';
import { publishObject } from '../object-store/ledger.ts';
import type { ProcessingDependencies } from './dependencies.ts';
import { fetchInput } from './input-file.ts';

/**
 * Makes what a ready raster is drawn with: pending → made, or none when it can never be drawn. The dataset itself, its status
 * and its time of change stay as they are. May die anywhere and run again: nothing is seen of it before it is published.
 */
export async function makeView(dependencies: ProcessingDependencies, attempt: Attempt): Promise<void> {
  const dataset = await dependencies.db
    .selectFrom('datasets')
    .select(['cog_storage_key', 'view_mesh_storage_key'])
    .where('id', '=', attempt.refId)
    .where('status', '=', 'ready')
    .where('view_state', '=', 'pending')
    .executeTakeFirst();
  if (dataset === undefined || dataset.cog_storage_key === null) return; // deleted, or done before
  const cog = { storage_key: dataset.cog_storage_key, filename: 'cog.tif' };
  const task = await fetchInput(dependencies, attempt, cog);
  const { meshPath, viewPath } = await dependencies.engine.makeView(task);
  const stored = dataset.view_mesh_storage_key;
  const store = async (path: string | undefined, extension: string) =>
    path === undefined ? undefined : await attempt.store('view', extension, { path });
  // The mesh that the conversion has made is the same.
  const meshKey = stored === null ? await store(meshPath, '.mesh') : undefined;
  const cogKey = await store(viewPath, '.tif');
  const view_state: ViewState = meshPath === undefined ? 'none' : 'made';
  await attempt.publish(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('datasets')
      .set({
        view_state,
        ...(meshKey === undefined ? {} : { view_mesh_storage_key: meshKey }),
        ...(cogKey === undefined ? {} : { view_cog_storage_key: cogKey }),
      })
      .where('id', '=', attempt.refId)
      .where('view_state', '=', 'pending')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const key of [meshKey, cogKey]) if (key !== undefined) await publishObject(trx, key);
  });
}

/** Leaves a dataset ready, and without a view for good. */
export async function recordViewFailure(trx: Transaction, datasetId: string): Promise<void> {
  await trx
    .updateTable('datasets')
    .set({ view_state: 'failed' })
    .where('id', '=', datasetId)
    .where('view_state', '=', 'pending')
    .execute();
}
