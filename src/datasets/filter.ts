import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { BooleanText, CalendarDate, Guid, Text } from '../validation/fields.ts';
import { DatasetStatus, FileType } from './schema.ts';
import { holdsText } from './text-search.ts';

/** Query parameters that narrow a list of datasets; a dataset must match all of them. */
export const DatasetFilter = z.object({
  category_id: Guid.optional().describe('Only datasets of this category itself, not of its descendants'),
  category_code: Text.optional().describe(
    'Only datasets of the category with this code; an unknown code gives an empty page',
  ),
  file_type: FileType.optional().describe('Only datasets of this type'),
  automated: BooleanText.optional().describe('Only datasets that a program uploaded, or only the others'),
  status: DatasetStatus.optional().describe('Only datasets in this status'),
  dg_id: Guid.optional().describe('Only datasets of this dataset group'),
  start_date_from: CalendarDate.optional().describe('Only datasets with a start_date on or after this day'),
  start_date_to: CalendarDate.optional().describe('Only datasets with a start_date on or before this day'),
  end_date_from: CalendarDate.optional().describe('Only datasets with an end_date on or after this day'),
  end_date_to: CalendarDate.optional().describe('Only datasets with an end_date on or before this day'),
  q: Text.optional().describe('A case-insensitive part of name, description or file name'),
});
export type DatasetFilter = z.infer<typeof DatasetFilter>;

type Condition = RawBuilder<SqlBool>;

/** Returns the SQL condition of a filter, for datasets and for their counts: these have all columns except `search_text`. */
export function conditionOf(filter: DatasetFilter): Condition {
  const conditions = [
    ...given(filter.category_id, (id) => sql<SqlBool>`category_id = ${id}`),
    ...given(filter.category_code, inCategory),
    ...given(filter.file_type, (fileType) => sql<SqlBool>`file_type = ${fileType}`),
    ...given(filter.automated, (automated) => sql<SqlBool>`automated = ${automated}`),
    ...given(filter.status, (status) => sql<SqlBool>`status = ${status}`),
    ...given(filter.dg_id, (id) => sql<SqlBool>`dg_id = ${id}`),
    ...given(filter.start_date_from, (date) => sql<SqlBool>`start_date >= ${date}`),
    ...given(filter.start_date_to, (date) => sql<SqlBool>`start_date <= ${date}`),
    ...given(filter.end_date_from, (date) => sql<SqlBool>`end_date >= ${date}`),
    ...given(filter.end_date_to, (date) => sql<SqlBool>`end_date <= ${date}`),
    ...given(filter.q, holdsText),
  ];
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`;
}

const dates = ['start_date_from', 'start_date_to', 'end_date_from', 'end_date_to'] as const;

/** Returns the names of the given filters, which determine the table of counts. */
export function partsOf(filter: DatasetFilter) {
  return {
    hasText: filter.q !== undefined && filter.q !== '',
    hasDates: dates.some((name) => filter[name] !== undefined),
    hasGroup: filter.dg_id !== undefined,
    hasCategory: filter.category_id !== undefined || filter.category_code !== undefined,
  };
}

function given<T>(value: T | undefined, condition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [condition(value)];
}

function inCategory(code: string): Condition {
  // A single id, because codes are unique; the index then returns the datasets in order.
  return sql`category_id = (select id from categories where code = ${code})`;
}
