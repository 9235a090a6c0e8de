import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import { BooleanText, CalendarDate, Guid, Text } from '../validation/fields.ts';
import { DatasetStatus, FileType } from './schema.ts';
import { holdsText } from './text-search.ts';

/** Query parameters that narrow a list of datasets; all that are given must hold. */
export const DatasetFilter = z.object({
  category_id: Guid.optional().describe('That category alone, not its descendants'),
  category_code: Text.optional().describe('An unknown code gives an empty page'),
  file_type: FileType.optional().describe('Only datasets of this type'),
  automated: BooleanText.optional().describe('Only datasets that a program uploaded, or only the others'),
  status: DatasetStatus.optional().describe('Only datasets in this status'),
  dg_id: Guid.optional().describe('Only datasets of this dataset group'),
  start_date_from: CalendarDate.optional().describe('Only those whose start_date is this day or later'),
  start_date_to: CalendarDate.optional().describe('Only those whose start_date is this day or earlier'),
  end_date_from: CalendarDate.optional().describe('Only those whose end_date is this day or later'),
  end_date_to: CalendarDate.optional().describe('Only those whose end_date is this day or earlier'),
  q: Text.optional().describe('A case-insensitive part of name, description or file name'),
});
export type DatasetFilter = z.infer<typeof DatasetFilter>;

type Condition = RawBuilder<SqlBool>;

/** What is asked of datasets, and in the same words of their counts: these have all columns but `search_text`. */
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

/** The names of the filters whose columns are dates. */
const dates = ['start_date_from', 'start_date_to', 'end_date_from', 'end_date_to'] as const;

/** Which filters are given: those by which counts are told apart. */
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
  // One id, which no code has twice, so that an index has the datasets in their order.
  return sql`category_id = (select id from categories where code = ${code})`;
}
