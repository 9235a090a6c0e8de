import { inTransaction, nextUpdatedAt } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { enqueueUnlessLive } from '../../jobs/enqueue.ts';
import type { Attempt, Failure } from '../../jobs/handler.ts';
import { messageText } from '../../lib/message.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { referenceProblems } from '../../messages/datasets/english.ts';
import { extensionOf } from '../original/file-name.ts';
import { filesOfDataset, originalOf, replaceFiles } from '../files.ts';
import type { ProcessingDependencies } from '../input-file.ts';
import { found, getDataset } from '../queries.ts';
import type { DatasetRow } from '../schema.ts';

/**
 * Enqueues the copy of the file of a reference, after which the dataset is like an upload. A second request while the copy is
 * under way changes nothing.
 * @throws {Problem} `not_found`, or `conflict` if the file is here already, or the dataset is not ready.
 */
export async function startCopy(
  { db, messageQueue }: { readonly db: Database; readonly messageQueue: MessageQueue },
  id: string,
): Promise<DatasetRow> {
  const jobId = await inTransaction(db, async (trx) => {
    const { status } = found(
      await trx.selectFrom('datasets').select('status').where('id', '=', id).forUpdate().executeTakeFirst(),
    );
    const { numUpdatedRows } = await trx
      .updateTable('dataset_references')
      .set({ is_copying: true })
      .where('dataset_id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw referenceProblems.notAReference();
    if (status !== 'ready') throw referenceProblems.notReady();
    return await enqueueUnlessLive(trx, 'copy-reference', id);
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
  return await getDataset(db, id);
}

/**
 * Copies the file of a reference: its original, which is also the COG of a raster, is an object here afterwards, with the bytes that were
 * registered.
 * Safe to interrupt and repeat: nothing is visible before it is published.
 */
export async function copyReference(
  { db, objectStore }: Pick<ProcessingDependencies, 'db' | 'objectStore'>,
  attempt: Attempt,
): Promise<void> {
  const dataset = await db
    .selectFrom('datasets')
    .innerJoin('dataset_references', 'dataset_references.dataset_id', 'datasets.id')
    .select(['filename', 'file_type', filesOfDataset])
    .where('datasets.id', '=', attempt.refId)
    .executeTakeFirst();
  if (dataset === undefined) return; // deleted, or already done
  const before = originalOf(dataset.files);
  const { signal } = attempt;
  const body = await objectStore.read(before, undefined, { signal });
  const key = await attempt.store('originals', extensionOf(dataset.filename), body);
  await attempt.publish(async (trx) => {
    const isSame = await haveOneDigest(trx, [before, key]);
    if (!isSame) throw new Error(`the copy of ${before} has another digest`);
    await trx.deleteFrom('dataset_references').where('dataset_id', '=', attempt.refId).execute();
    await replaceFiles(trx, attempt.refId, [
      { kind: 'original', key },
      ...(dataset.file_type === 'raster' ? [{ kind: 'cog', key } as const] : []),
    ]);
    await trx
      .updateTable('datasets')
      .set({ updated_at: nextUpdatedAt })
      .where('id', '=', attempt.refId)
      .execute();
  });
}

async function haveOneDigest(trx: Transaction, keys: readonly string[]): Promise<boolean> {
  const rows = await trx.selectFrom('objects').select(['key', 'sha256']).where('key', 'in', keys).execute();
  const [one, other] = rows.map(({ sha256 }) => sha256);
  return rows.length === 2 && one !== null && one !== undefined && other?.equals(one) === true;
}

/** Ends a copy that cannot succeed: the dataset stays a reference. */
export async function leaveReference(
  trx: Transaction,
  datasetId: string,
  { reason }: Failure,
): Promise<void> {
  await trx
    .updateTable('dataset_references')
    .set({ is_copying: false, reason: messageText(reason) })
    .where('dataset_id', '=', datasetId)
    .execute();
}
