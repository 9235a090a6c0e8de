import { randomUUID } from 'node:crypto';
import type { Database } from '../database/tables/tables.ts';
import {
  foreignKeyViolation,
  inTransaction,
  nextUpdatedAt,
  uniqueViolation,
} from '../database/transaction.ts';
import { groupProblems } from '../messages/datasets/english.ts';
import { type Page, readPage, type Slice } from '../database/page.ts';
import { retireObjects } from '../object-store/ledger.ts';
import { type DatasetGroup, type DatasetGroupInput, toDatasetGroup } from './schema.ts';

/** Returns one page of the dataset groups by code, and the total number. */
export async function listDatasetGroups(
  db: Database,
  code: string | undefined,
  slice: Slice,
): Promise<Page<DatasetGroup>> {
  const matching = db
    .selectFrom('dataset_groups')
    .$if(code !== undefined, (query) => query.where('code', '=', code ?? ''))
    .selectAll()
    .orderBy('code');
  return await readPage(matching, slice, toDatasetGroup);
}

/** @throws {Problem} `not_found` */
export async function getDatasetGroup(db: Database, id: string): Promise<DatasetGroup> {
  const row = await db.selectFrom('dataset_groups').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw groupProblems.notFound();
  return toDatasetGroup(row);
}

/** @throws {Problem} `conflict` when the code is taken. */
export async function createDatasetGroup(db: Database, input: DatasetGroupInput): Promise<DatasetGroup> {
  const row = await db
    .insertInto('dataset_groups')
    .values({ id: randomUUID(), ...input })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(rethrowTaken);
  return toDatasetGroup(row);
}

/** Replaces code, name and description. @throws {Problem} `not_found`; `conflict` if another group has the code. */
export async function updateDatasetGroup(
  db: Database,
  id: string,
  input: DatasetGroupInput,
): Promise<DatasetGroup> {
  const row = await db
    .updateTable('dataset_groups')
    .set({ ...input, updated_at: nextUpdatedAt })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
    .catch(rethrowTaken);
  if (row === undefined) throw groupProblems.notFound();
  return toDatasetGroup(row);
}

/** Deletes a group with its SLD and its templates of forms. @throws {Problem} `not_found`; `conflict` while datasets refer to it. */
export async function deleteDatasetGroup(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const templates = await trx
      .deleteFrom('form_templates')
      .where('group_id', '=', id)
      .returning('object_key')
      .execute();
    const deleted = await trx
      .deleteFrom('dataset_groups')
      .where('id', '=', id)
      .returning('sld_storage_key')
      .executeTakeFirst();
    if (deleted === undefined) throw groupProblems.notFound();
    await retireObjects(trx, [deleted.sld_storage_key, ...templates.map((each) => each.object_key)]);
  }).catch((error: unknown) => {
    throw foreignKeyViolation(error) === undefined ? error : groupProblems.inUse().because(error);
  });
}

function rethrowTaken(error: unknown): never {
  throw uniqueViolation(error) === undefined ? error : groupProblems.codeTaken().because(error);
}
