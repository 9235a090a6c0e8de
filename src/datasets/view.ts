import type { Transaction } from '../database/tables.ts';
import { enqueueJob } from '../jobs/enqueue.ts';

/** The columns that hold the objects with which a raster is drawn. */
export const viewColumns = ['view_mesh_storage_key', 'view_cog_storage_key'] as const;

/** What the conversion of a raster has made of its view. */
interface FirstView {
  /** The stored mesh; undefined for a raster that can never be drawn. */
  readonly meshKey: string | undefined;
  /** True when the api cannot draw from the raster's own COG. */
  readonly needsView: boolean;
}

/** The columns of a raster that has just been converted. */
export function columnsOfView({ meshKey, needsView }: FirstView) {
  if (meshKey === undefined) return { view_state: 'none' } as const;
  return { view_mesh_storage_key: meshKey, view_state: needsView ? 'pending' : 'made' } as const;
}

/** Enqueues the job that makes a view, in the transaction that says it is pending. It changes nothing that a reader of the dataset sees. */
export async function enqueueView(trx: Transaction, datasetId: string): Promise<string> {
  return await enqueueJob(trx, 'make-view', datasetId);
}
