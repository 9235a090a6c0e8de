import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { type Page, readPage, type Slice } from '../database/page.ts';
import { createRowLoader } from '../database/row-loader.ts';
import type { Database, Tables } from '../database/tables.ts';
import { datasetProblems } from '../messages/datasets.ts';
import { BooleanText, CalendarDate, Guid, Text } from '../validation/fields.ts';
import { filesOfDataset } from './files.ts';
import {
  type DatasetRow,
  DatasetStatus,
  type DatasetSummary,
  FileType,
  summaryColumns,
  toDatasetSummary,
} from './schema.ts';

/** Query parameters that narrow a list of datasets; all that are given must hold. */
export const DatasetFilter = z.object({
  category_id: Guid.optional().describe('That category alone, not its descendants'),
  category_code: Text.optional().describe('An unknown code gives an empty page'),
  file_type: FileType.optional().describe('Only datasets of this type'),
  automated: BooleanText.optional().describe('Only those that a program uploaded, or only the others'),
  status: DatasetStatus.optional().describe('Only datasets in this status'),
  dg_id: Guid.optional().describe('Only datasets of this dataset group'),
  start_date_from: CalendarDate.optional().describe('Only those whose start_date is this day or later'),
  start_date_to: CalendarDate.optional().describe('Only those whose start_date is this day or earlier'),
  end_date_from: CalendarDate.optional().describe('Only those whose end_date is this day or later'),
  end_date_to: CalendarDate.optional().describe('Only those whose end_date is this day or earlier'),
  q: Text.optional().describe('A case-insensitive part of name, description or file name'),
});
export type DatasetFilter = z.infer<typeof DatasetFilter>;

/** Orders the datasets of a group, freshest first: greatest `end_date`, none last, then newest. */
export const freshestFirst = sql`datasets.end_date desc nulls last, datasets.created_at desc, datasets.id`;

/** Returns a dataset. @throws {Problem} `not_found` */
export async function getDataset(db: Database, id: string): Promise<DatasetRow> {
  return found(await selectDatasets(db).where('id', '=', id).executeTakeFirst());
}

function selectDatasets(db: Database) {
  return db.selectFrom('datasets').selectAll().select(filesOfDataset);
}

/**
 * Creates a reader for one process, which answers those who ask at the same time with one statement.
 * @returns a function that gives a dataset by its id, and throws {Problem} `not_found`
 */
export function createDatasetReader(db: Database): (id: string) => Promise<DatasetRow> {
  const load = createRowLoader<DatasetRow>((ids) =>
    selectDatasets(db)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
  );
  return async (id) => found(await load(id));
}

/** @throws {Problem} `not_found` without a row. */
export function found<T>(row: T | undefined): T {
  if (row === undefined) throw datasetProblems.notFound();
  return row;
}

/** Lists one page of the datasets that match, newest first, and how many match in all. */
export async function listDatasets(
  db: Database,
  filter: DatasetFilter,
  slice: Slice,
): Promise<Page<DatasetSummary>> {
  const matching = db
    .selectFrom('datasets')
    .where((eb) => eb.and(conditionsOf(eb, filter)))
    .select(summaryColumns)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return await readPage(matching, slice, toDatasetSummary);
}

type Datasets = ExpressionBuilder<Tables, 'datasets'>;
type Condition = Expression<SqlBool>;

function conditionsOf(eb: Datasets, filter: DatasetFilter): Condition[] {
  return [
    ...given(filter.category_id, (id) => eb('category_id', '=', id)),
    ...given(filter.category_code, (code) => inCategory(eb, code)),
    ...given(filter.file_type, (fileType) => eb('file_type', '=', fileType)),
    ...given(filter.automated, (automated) => eb('automated', '=', automated)),
    ...given(filter.status, (status) => eb('status', '=', status)),
    ...given(filter.dg_id, (id) => eb('dg_id', '=', id)),
    ...given(filter.start_date_from, (date) => eb('start_date', '>=', date)),
    ...given(filter.start_date_to, (date) => eb('start_date', '<=', date)),
    ...given(filter.end_date_from, (date) => eb('end_date', '>=', date)),
    ...given(filter.end_date_to, (date) => eb('end_date', '<=', date)),
    ...given(filter.q, (text) => holds(eb, text)),
  ];
}

function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

function inCategory(eb: Datasets, code: string): Condition {
  return eb('category_id', 'in', eb.selectFrom('categories').select('id').where('code', '=', code));
}

/**
 * Matches a part of any of the texts, whatever its case; empty text is part of every name. By ICU, because by the database's own
 * locale letters beyond ASCII may have no case.
 */
function holds(eb: Datasets, text: string): Condition {
  const pattern = `%${text.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;
  const columns = ['name', 'description', 'filename'] as const;
  return eb.or(columns.map((column) => sql<SqlBool>`${eb.ref(column)} collate "und-x-icu" ilike ${pattern}`));
}

/** Returns the freshest matching dataset of a group. @throws {Problem} `not_found` */
export async function getFreshestDataset(
  db: Database,
  groupId: string,
  filter: Pick<DatasetFilter, 'status' | 'file_type'>,
): Promise<DatasetRow> {
  const row = await selectDatasets(db)
    .where((eb) => eb.and(conditionsOf(eb, { ...filter, dg_id: groupId })))
    .orderBy(freshestFirst)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw datasetProblems.noneFreshest();
  return row;
}
