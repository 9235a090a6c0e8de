import { Readable } from 'node:stream';
import type { Database } from '../database/tables/tables.ts';
import type { Attempt, JobHandler } from '../jobs/handler.ts';
import { discardResult, publishResult, resultHandler } from '../jobs/results.ts';
import { AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import { atlases } from './atlases.ts';
import type { SheetDependencies } from './sheet-subject.ts';

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
