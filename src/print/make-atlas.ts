import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Database, Transaction } from '../database/tables/tables.ts';
import type { Attempt, JobHandler } from '../jobs/handler.ts';
import { publishObject } from '../object-store/ledger.ts';
import { AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import type { SheetDependencies } from './sheet-subject.ts';

interface Dependencies {
  readonly db: Database;
  /** Opens what draws, for one atlas. */
  readonly openPrinting: () => { readonly printing: SheetDependencies; close(): Promise<void> };
}

const secondsPerSheet = 20;

/** Makes atlases. It may die anywhere and run again: nothing is seen of an atlas before it is published. */
export function createAtlasHandler(dependencies: Dependencies): JobHandler {
  return {
    run: async (attempt) => await makeAtlas(dependencies, attempt),
    fail: recordAtlasFailure,
  };
}

async function makeAtlas({ db, openPrinting }: Dependencies, attempt: Attempt): Promise<void> {
  const row = await db
    .selectFrom('sheet_atlases')
    .select(['key', 'wanted'])
    .where('id', '=', attempt.refId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (row === undefined) return; // deleted, or made before
  const { printing, close } = openPrinting();
  try {
    const { signal } = attempt;
    const order = AtlasOrder.parse(JSON.parse(row.wanted));
    const content = await prepareAtlasContent(printing, order, signal);
    if (content.isPending || content.key !== row.key) {
      // What it was asked of is another by now: those who wait find another key, and have that made.
      await attempt.publish(async (trx) => {
        await trx.deleteFrom('sheet_atlases').where('id', '=', attempt.refId).execute();
      });
      return;
    }
    const bytes = await printing.pool.run('sheets', await content.request(), {
      affinity: row.key,
      signal,
      deadlineMs: 1000 * secondsPerSheet * (content.sheets + 1),
    });
    const objectKey = await attempt.store('atlas', '.pdf', Readable.from([Buffer.from(bytes.buffer)]));
    await attempt.publish(async (trx) => await publishAtlas(trx, attempt.refId, objectKey));
  } finally {
    await close();
  }
}

async function publishAtlas(trx: Transaction, id: string, objectKey: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('sheet_atlases')
    .set({ state: 'made', object_key: objectKey, changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await publishObject(trx, objectKey);
}

/** The next request after a while tries again. */
async function recordAtlasFailure(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('sheet_atlases')
    .set({ state: 'failed', changed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}
