import type { z } from 'zod';
import { nextUpdatedAt } from '../database/next-updated-at.ts';
import type { Database } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { DatasetPatch, DatasetPut } from './edit-schema.ts';
import { parseBody } from '../validation/parse-body.ts';
import { datasetProblems } from '../messages/datasets.ts';
import { getDataset } from './queries.ts';
import { findMissingReferences, findPeriodError, rethrowAsFieldProblem } from './references.ts';
import type { DatasetRow } from './schema.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Replaces what a client says about a dataset; what it leaves out is cleared.
 * @throws {Problem} `not_found`, or `invalid` naming every field that is wrong.
 */
export async function replaceDataset(db: Database, id: string, body: Body): Promise<DatasetRow> {
  await getDataset(db, id);
  const cleared = { dg_id: null, start_date: null, end_date: null };
  return await writeChanges(db, id, await checkChanges(db, DatasetPut, { ...cleared, ...body }, cleared));
}

/**
 * Changes the fields of a dataset that `body` has, and no other: concurrent changes of different fields all land.
 * @throws {Problem} `not_found`, or `invalid` naming every field that is wrong.
 */
export async function patchDataset(db: Database, id: string, body: Body): Promise<DatasetRow> {
  const stored = await getDataset(db, id);
  const known = Object.keys(DatasetPatch.shape);
  if (!known.some((name) => Object.hasOwn(body, name))) throw datasetProblems.nothingToChange(known);
  return await writeChanges(db, id, await checkChanges(db, DatasetPatch, body, stored));
}

/** @param stored the period that holds for an end of it which `body` does not have */
async function checkChanges<T>(
  db: Database,
  schema: z.ZodType<T>,
  body: Body,
  stored: Pick<DatasetRow, 'start_date' | 'end_date'>,
): Promise<T> {
  const { start_date: startDate, end_date: endDate } = { ...stored, ...body };
  const missing = await findMissingReferences(db, body);
  return parseBody(schema, body, (own) => ({ ...findPeriodError(startDate, endDate), ...missing, ...own }));
}

async function writeChanges(db: Database, id: string, changes: DatasetPatch): Promise<DatasetRow> {
  const row = await inTransaction(
    db,
    async (trx) =>
      await trx
        .updateTable('datasets')
        .set(toColumns(changes))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),
  ).catch(rethrowAsFieldProblem);
  if (row === undefined) throw datasetProblems.notFound();
  return row;
}

/** Empty text is stored as null; a field that is undefined keeps its column as it is. */
function toColumns({ description, unit, ...changes }: DatasetPatch) {
  return {
    ...changes,
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(unit !== undefined && { unit: unit === '' ? null : unit }),
    updated_at: nextUpdatedAt,
  };
}
