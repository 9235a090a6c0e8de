import { z } from 'zod';
import type { Database } from '../database/tables/tables.ts';
import { inSnapshot } from '../database/transaction.ts';
import { readMark, readRemark, statuses } from '../../common/table/marks.ts';
import { parseYearColumns } from '../table/mapping-schema.ts';
import { CalendarDate, Guid } from '../validation/fields.ts';
import { exampleObservation } from '../lib/examples.ts';
import { datasetProblems } from '../messages/datasets/english.ts';
import { type Page, readPage, type Slice } from '../database/page.ts';

export const Observation = z
  .object({
    id: Guid.describe('Id of the observation'),
    dataset_id: Guid.describe('Id of the dataset'),
    kato_code: z.string().describe('KATO code of the unit, as text'),
    start_date: CalendarDate.describe('Point in time, or first day of the period'),
    end_date: CalendarDate.nullable().describe('Last day of the period; null for a point in time'),
    value: z.number().nullable().describe('Value; null if the cell is empty or not a number'),
    value_text: z.string().nullable().describe('Text of the cell if it is not a number'),
    unit: z
      .string()
      .nullable()
      .optional()
      .describe('Only with `remarks=1`: unit of the value by the mapping; null without one'),
    status: z
      .string()
      .nullable()
      .optional()
      .describe(
        `Only with \`remarks=1\`: meaning of the marks of the cell, of ${statuses.map((each) => `\`${each}\``).join(', ')}; several are separated by commas; null without a mark`,
      ),
    remark: z
      .string()
      .nullable()
      .optional()
      .describe('Only with `remarks=1`: the marks of the cell and their explanation; null without one'),
  })
  .meta({
    id: 'Observation',
    description: 'The value of one unit at one time: a cell of a mapped column',
    examples: [exampleObservation],
  });
export type Observation = z.infer<typeof Observation>;

/**
 * The status and remark of a value: those of the column of remarks, otherwise those of a mark in the place of the value.
 */
export function remarkOf({
  remark,
  text,
}: {
  readonly remark: string | null;
  readonly text: string | null;
}): {
  readonly status: string | null;
  readonly remark: string | null;
} {
  if (remark !== null) return readRemark(remark);
  const mark = text === null ? undefined : readMark(text);
  return { status: mark?.status ?? null, remark: null };
}

/**
 * Returns one page of a dataset's observations, of all codes or of one, ordered by code, start, end (points in time
 * first) and id, and the total number: both from one snapshot, so that a page never mixes two extractions.
 * @throws {Problem} `not_found`
 */
export async function listObservations(
  db: Database,
  datasetId: string,
  filter: { readonly kato_code?: string | undefined; readonly withRemarks?: boolean },
  slice: Slice,
): Promise<Page<Observation>> {
  return await inSnapshot(db, async (trx) => {
    const dataset = await trx
      .selectFrom('datasets')
      .select(['observation_set_id', 'year_columns'])
      .where('id', '=', datasetId)
      .executeTakeFirst();
    if (dataset === undefined) throw datasetProblems.notFound();
    const ofSet = trx.selectFrom('observations').where('set_id', '=', dataset.observation_set_id);
    const { kato_code: code, withRemarks = false } = filter;
    const units = withRemarks ? parseYearColumns(dataset.year_columns).map(({ unit }) => unit) : [];
    const matching = (code === undefined ? ofSet : ofSet.where('kato_code', '=', code))
      .select(['id', 'kato_code', 'start_date', 'end_date', 'value', 'value_text', 'remark', 'mapping_order'])
      .orderBy('kato_code')
      .orderBy('start_date')
      .orderBy('end_date', (order) => order.asc().nullsFirst())
      .orderBy('id');
    return await readPage(matching, slice, (row) => ({
      id: row.id,
      dataset_id: datasetId,
      kato_code: row.kato_code,
      start_date: row.start_date,
      end_date: row.end_date,
      value: row.value,
      value_text: row.value_text,
      ...(withRemarks
        ? {
            unit: units[row.mapping_order] ?? null,
            ...remarkOf({ remark: row.remark, text: row.value_text }),
          }
        : {}),
    }));
  });
}
