import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { z } from 'zod';
import {
  type PendingResult,
  type ResultKind,
  want,
  discardResult,
  publishResult,
  resultHandler,
} from '../jobs/results.ts';
import { sheetProblems } from '../messages/sheets.ts';
import { AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import type { SheetDependencies } from './sheet-subject.ts';
import type { Database } from '../database/tables/tables.ts';
import type { Attempt, JobHandler } from '../jobs/handler.ts';

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

interface Dependencies {
  readonly db: Database;
  /** Opens the drawing resources of one atlas. */
  readonly openPrinting: () => { readonly printing: SheetDependencies; close(): Promise<void> };
}

const secondsPerSheet = 20;

/** Creates the handler that makes atlases. */
export const createAtlasHandler = (dependencies: Dependencies): JobHandler =>
  resultHandler(atlases, async (attempt) => await makeAtlas(dependencies, attempt));

async function makeAtlas({ db, openPrinting }: Dependencies, attempt: Attempt): Promise<void> {
  const row = await db
    .selectFrom('sheet_atlases')
    .select(['key', 'wanted'])
    .where('id', '=', attempt.refId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (row === undefined) return; // deleted, or already made
  const { printing, close } = openPrinting();
  try {
    const { signal } = attempt;
    const order = AtlasOrder.parse(JSON.parse(row.wanted));
    const content = await prepareAtlasContent(printing, order, signal);
    if (content.isPending || content.key !== row.key) return await discardResult(attempt, 'sheet_atlases');
    const bytes = await printing.pool.run('sheets', await content.request(), {
      affinity: row.key,
      signal,
      deadlineMs: 1000 * secondsPerSheet * (content.sheets + 1),
    });
    const key = await attempt.store('atlas', '.pdf', Readable.from([Buffer.from(bytes.buffer)]));
    await attempt.publish(
      async (trx) => await publishResult(trx, 'sheet_atlases', attempt.refId, { object_key: key }),
    );
  } finally {
    await close();
  }
}
