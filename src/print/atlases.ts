import { sql } from 'kysely';
import { z } from 'zod';
import { type PendingResult, type ResultKind, want } from '../jobs/results.ts';
import { sheetProblems } from '../messages/drawing/english.ts';
import { type AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import type { SheetDependencies } from './sheet-subject.ts';

export const atlases = {
  job: 'make-atlas',
  table: 'sheet_atlases',
  content: z.object({ object_key: z.string() }),
  kept: sql`interval '30 days'`,
  notNow: sheetProblems.atlasFailed,
} as const satisfies ResultKind<z.ZodRawShape>;

/** A stored atlas. */
export interface MadeAtlas {
  readonly isPending: false;
  readonly objectKey: string;
}

/**
 * Returns an atlas, or enqueues the job that makes it, once for its content. Any number of processes may call this at once.
 * @throws {Problem} when there is nothing to draw, or the last attempt failed recently
 */
export async function prepareAtlas(
  dependencies: SheetDependencies,
  order: AtlasOrder,
  signal: AbortSignal,
): Promise<MadeAtlas | PendingResult> {
  const content = await prepareAtlasContent(dependencies, order, signal);
  if (content.isPending) return content;
  const { datasetId } = order;
  const found = await want(dependencies, atlases, content.key, {
    columns: { dataset_id: datasetId, wanted: JSON.stringify(order) },
    // Deleting a dataset also deletes its atlases.
    lock: async (trx) =>
      await trx.selectFrom('datasets').select('id').where('id', '=', datasetId).forKeyShare().execute(),
  });
  return found.isPending ? found : { isPending: false, objectKey: found.content.object_key };
}
