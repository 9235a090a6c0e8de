import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PendingResult } from '../jobs/results.ts';
import { inTransaction } from '../database/transaction.ts';
import { enqueueMissingJob } from '../jobs/enqueue.ts';
import { hasJob, isUseOld, mayRetry } from '../jobs/requested-results.ts';
import { retireObjects } from '../object-store/ledger.ts';
import { sheetProblems } from '../messages/sheets.ts';
import { type AtlasOrder, prepareAtlasContent } from './atlas-content.ts';
import type { SheetDependencies } from './sheet-subject.ts';

const keptDays = 30;

/** An atlas that is stored. */
export interface MadeAtlas {
  readonly isPending: false;
  readonly objectKey: string;
}

/**
 * Returns an atlas, or has it made, once for its content. Any number of processes may ask at once.
 * @throws {Problem} when there is nothing to draw, or it could not be made a moment ago
 */
export async function prepareAtlas(
  dependencies: SheetDependencies,
  order: AtlasOrder,
  signal: AbortSignal,
): Promise<MadeAtlas | PendingResult> {
  const { db } = dependencies;
  const content = await prepareAtlasContent(dependencies, order, signal);
  if (content.isPending) return content;
  const { key } = content;
  const row = await db
    .selectFrom('sheet_atlases')
    .select([
      'id',
      'state',
      'object_key as objectKey',
      hasJob('sheet_atlases').as('hasJob'),
      isUseOld.as('isOld'),
      mayRetry('sheet_atlases').as('mayRetry'),
    ])
    .where('key', '=', key)
    .executeTakeFirst();
  if (row !== undefined && row.objectKey !== null) {
    if (row.isOld)
      await db
        .updateTable('sheet_atlases')
        .set({ used_at: sql`now()` })
        .where('key', '=', key)
        .execute();
    return { isPending: false, objectKey: row.objectKey };
  }
  if (row?.state === 'failed' && !row.mayRetry) throw sheetProblems.atlasFailed();
  if (row?.state === 'pending' && row.hasJob) return { isPending: true, ref: row.id };
  return { isPending: true, ref: await start(dependencies, order, key) };
}

/** @returns what the job is about */
async function start(
  { db, messageQueue }: SheetDependencies,
  order: AtlasOrder,
  key: string,
): Promise<string> {
  const { ref, jobId } = await inTransaction(db, async (trx) => {
    // A dataset that is being deleted takes its atlases with it.
    await trx.selectFrom('datasets').select('id').where('id', '=', order.datasetId).forKeyShare().execute();
    await sql`
      insert into sheet_atlases (id, key, dataset_id, wanted, state)
        values (${randomUUID()}, ${key}, ${order.datasetId}, ${JSON.stringify(order)}, 'pending')
      on conflict (key) do update set state = 'pending', changed_at = now(), used_at = now()
        where sheet_atlases.state = 'failed'`.execute(trx);
    const row = await trx
      .selectFrom('sheet_atlases')
      .select(['id', 'state'])
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const old = await trx
      .deleteFrom('sheet_atlases')
      .where('used_at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
      .where('state', '<>', 'pending')
      .returning('object_key')
      .execute();
    await retireObjects(
      trx,
      old.map(({ object_key: object }) => object),
    );
    return { ref: row.id, jobId: await enqueueMissingJob(trx, 'make-atlas', row) };
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
  return ref;
}
