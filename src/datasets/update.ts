import { z } from 'zod';
import { examplePut } from '../lib/examples.ts';
import type { Database } from '../database/tables/tables.ts';
import { inTransaction, nextUpdatedAt } from '../database/transaction.ts';
import { CalendarDate, FreeText, Guid, Name } from '../validation/fields.ts';
import { parseBody } from '../validation/parse-body.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { getDataset } from './queries.ts';
import { findMissingReferences, findPeriodError, rethrowAsFieldProblem } from './references.ts';
import { filesOfDataset } from './files.ts';
import type { DatasetRow } from './schema.ts';

const NewGroup = Guid.nullish();
const NewEnd = CalendarDate.nullish();
// Empty text is stored as null.
const aboutDescription = 'Free text; empty text clears it';
const aboutUnit = 'Unit of the values, such as `people`; empty text clears it';

/** Replaces a client's description of a dataset, but not its file, file type or status. */
export const DatasetPut = z
  .object({
    category_id: Guid.describe('An existing category'),
    name: Name.describe('Name'),
    description: FreeText.describe(aboutDescription),
    unit: FreeText.describe(aboutUnit),
    dg_id: NewGroup.describe('An existing dataset group; omitted or null: none'),
    start_date: CalendarDate.nullish().describe('First day of the period that the data describe; null: none'),
    end_date: NewEnd.describe('Last day of the period; must not be before start_date'),
  })
  .meta({
    id: 'DatasetPut',
    description: 'The complete description of a dataset by a client; an omitted group or date is cleared',
    examples: [examplePut],
  });

const PatchFields = DatasetPut.partial().extend({
  description: FreeText.nullish().describe(aboutDescription),
  unit: FreeText.nullish().describe(aboutUnit),
  dg_id: NewGroup.describe('An existing dataset group; null: none'),
  end_date: NewEnd.describe('Last day of the period; must not be before the resulting start_date'),
});

/** Changes only the present fields; null clears. At least one known field is required; others are ignored. */
export const DatasetPatch = PatchFields.meta({
  id: 'DatasetPatch',
  description: 'The fields of a dataset that change, at least one; null clears',
  examples: [{ name: 'Population by region, 2022 and 2023', end_date: '2023-12-31' }],
  minProperties: 1,
  anyOf: PatchFields.keyof().options.map((name) => ({ required: [name] })),
});

type Body = Readonly<Record<string, unknown>>;

/**
 * Replaces the fields of a dataset; omitted ones are cleared.
 * @throws {Problem} `not_found`, or `invalid` naming every invalid field.
 */
export async function replaceDataset(db: Database, id: string, body: Body): Promise<DatasetRow> {
  await getDataset(db, id);
  const cleared = { dg_id: null, start_date: null, end_date: null };
  return await writeChanges(db, id, await checkChanges(db, DatasetPut, { ...cleared, ...body }, cleared));
}

/**
 * Changes only the fields in `body`, so that concurrent changes of different fields all succeed.
 * @throws {Problem} as `replaceDataset`.
 */
export async function patchDataset(db: Database, id: string, body: Body): Promise<DatasetRow> {
  const stored = await getDataset(db, id);
  const known = Object.keys(DatasetPatch.shape);
  if (!known.some((name) => Object.hasOwn(body, name))) throw datasetProblems.nothingToChange(known);
  return await writeChanges(db, id, await checkChanges(db, DatasetPatch, body, stored));
}

/** @param stored the period, for an end that `body` lacks */
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

/** Stores empty text as null; an undefined field leaves its column unchanged. */
async function writeChanges(
  db: Database,
  id: string,
  { description, unit, ...changes }: z.infer<typeof DatasetPatch>,
): Promise<DatasetRow> {
  const columns = {
    ...changes,
    description: description === '' ? null : description,
    unit: unit === '' ? null : unit,
    updated_at: nextUpdatedAt,
  };
  const row = await inTransaction(
    db,
    async (trx) =>
      await trx
        .updateTable('datasets')
        .set(columns)
        .where('id', '=', id)
        .returningAll()
        .returning(filesOfDataset)
        .executeTakeFirst(),
  ).catch(rethrowAsFieldProblem);
  if (row === undefined) throw datasetProblems.notFound();
  return row;
}
