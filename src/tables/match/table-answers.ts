import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type PendingResult, retryAfterSeconds } from '../../jobs/results.ts';
import type { Database } from '../../database/tables/tables.ts';
import { inTransaction } from '../../database/transaction.ts';
import { enqueueMissingJob } from '../../jobs/enqueue.ts';
import type { MessageQueue } from '../../message-queue/message-queue.ts';
import { datasetProblems, mappingProblems } from '../../messages/datasets/english.ts';
import { ObjectMissing, type ObjectStore } from '../../object-store/object-store.ts';
import { type DatasetFile, filesOfDataset, findFile } from '../../datasets/files.ts';
import { StoredMatch } from './match-tally.ts';
import { TableFacts } from './table-facts.ts';

interface Dependencies {
  readonly db: Database;
  readonly objectStore: ObjectStore;
  readonly messageQueue: MessageQueue;
}

/** Stored findings about a table; equal keys have equal content. */
interface Found<T> {
  readonly isPending: false;
  readonly key: string;
  readonly content: T;
}

/**
 * Returns the facts about the columns of a table, or enqueues the job that finds them.
 * @throws {Problem} `not_found`; `invalid` for another type; `conflict` before its columns are detected, or if its file
 * cannot be read again.
 */
export async function tableFactsOf(
  dependencies: Dependencies,
  id: string,
): Promise<Found<TableFacts> | PendingResult> {
  const dataset = await readTable(dependencies.db, id);
  if (!dataset.is_detected) throw mappingProblems.tooEarly(dataset);
  return await findOrStart(dependencies, { ...dataset, id, kind: 'facts', schema: TableFacts });
}

/**
 * Returns the codes with which a table was extracted, or enqueues the job that finds them.
 * @throws {Problem} as `tableFactsOf`; `conflict` unless the dataset is ready.
 */
export async function tableMatchOf(
  dependencies: Dependencies,
  id: string,
): Promise<(Found<StoredMatch> & { readonly katoColumn: string }) | PendingResult> {
  const dataset = await readTable(dependencies.db, id);
  const { kato_column: katoColumn } = dataset;
  if (dataset.status !== 'ready' || katoColumn === null) throw mappingProblems.tooEarly(dataset);
  const found = await findOrStart(dependencies, {
    ...dataset,
    id,
    kind: 'match',
    schema: StoredMatch,
  });
  return found.isPending ? found : { ...found, katoColumn };
}

async function readTable(db: Database, id: string) {
  const dataset = await db
    .selectFrom('datasets')
    .select(['file_type', 'status', 'kato_column', filesOfDataset])
    .select(sql<boolean>`attribute_columns is not null`.as('is_detected'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (dataset === undefined) throw datasetProblems.notFound();
  if (dataset.file_type !== 'vector_with_kato') throw mappingProblems.wrongFileType();
  return dataset;
}

interface Wanted<T> {
  readonly id: string;
  readonly files: readonly DatasetFile[];
  readonly kind: 'facts' | 'match';
  readonly schema: z.ZodType<T>;
}

async function findOrStart<T>(
  dependencies: Dependencies,
  { id, files, kind, schema }: Wanted<T>,
): Promise<Found<T> | PendingResult> {
  const key = findFile(files, kind);
  const content = key === null ? undefined : await readContent(dependencies.objectStore, key, schema);
  if (key !== null && content !== undefined) return { isPending: false, key, content };
  await start(dependencies, id, { kind, key });
  return { isPending: true, ref: id };
}

/** Undefined for an object that the store has lost, or that an earlier release wrote in another format. */
async function readContent<T>(
  objectStore: ObjectStore,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const object = await objectStore.read(key).catch((error: unknown) => {
    if (error instanceof ObjectMissing) return undefined;
    throw error;
  });
  return object === undefined ? undefined : schema.safeParse(JSON.parse(await text(object))).data;
}

/**
 * Any number of processes may call this at once; one job is enqueued, or none if another process has just stored the
 * missing object under `key`.
 */
async function start(
  { db, messageQueue }: Dependencies,
  id: string,
  { kind, key }: Pick<Wanted<unknown>, 'kind'> & { readonly key: string | null },
): Promise<void> {
  const jobId = await inTransaction(db, async (trx) => {
    const lock = trx.selectFrom('datasets').select('id').where('id', '=', id).forUpdate();
    if ((await lock.executeTakeFirst()) === undefined) return undefined;
    const now = await trx
      .selectFrom('datasets')
      .select(filesOfDataset)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (findFile(now.files, kind) !== key) return undefined;
    const failed = await trx
      .selectFrom('jobs')
      .select('id')
      .where('ref_id', '=', id)
      .where('kind', '=', 'match-table')
      .where('state', '=', 'failed')
      .where('finished_at', '>', sql<Date>`now() - make_interval(secs => ${retryAfterSeconds})`)
      .executeTakeFirst();
    if (failed !== undefined) throw mappingProblems.notReadAgain();
    return await enqueueMissingJob(trx, 'match-table', { id, state: 'pending' });
  });
  if (jobId !== undefined) await messageQueue.notify(jobId, 'datasets');
}
