import { sql } from 'kysely';
import { z } from 'zod';
import { raiseLimits } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables.ts';
import { CalendarDate } from '../../validation/fields.ts';
import type { YearColumn } from '../table/mapping-schema.ts';
import { periodsOf, shownObservations, withDistrict } from './kato-geojson.ts';

const unitsPerFetch = 16;

const SeriesDate = z.object({
  start_date: CalendarDate.describe('The point in time, or the first day of the period'),
  end_date: CalendarDate.nullable().describe('Last day of the period; null for a point in time'),
});
const SeriesUnit = z.object({
  kato_code: z.string().describe('KATO code of the unit, as text'),
  values: z
    .array(z.union([z.number(), z.string()]).nullable())
    .describe('One for each of `dates`: a value, the text in its place, or null'),
});
const WithoutDistrict = z.object({
  codes: z.int().min(0).describe('How many different codes no district has'),
  rows: z.int().min(0).describe('How many rows of the table have such a code'),
});

/** The series of a table by KATO, for those who read it; it is written as text, piece by piece. */
export const KatoSeries = z
  .object({
    dates: z.array(SeriesDate).describe('Every mapped date once, in the order of time'),
    units: z.array(SeriesUnit).describe('One of each code that a district has, ordered by code'),
    without_district: WithoutDistrict.describe('What the map leaves out'),
  })
  .meta({
    id: 'KatoSeries',
    description: 'The values of a table by KATO: of each unit, one for each date',
    examples: [
      {
        dates: [
          { start_date: '2022-01-01', end_date: null },
          { start_date: '2023-01-01', end_date: '2023-12-31' },
        ],
        units: [
          { kato_code: '100000000', values: [611_888, 610_205] },
          { kato_code: '110000000', values: ['н/д', null] },
        ],
        without_district: { codes: 1, rows: 1 },
      },
    ],
  });

interface UnitRow {
  readonly kato_code: string;
  /** JSON text, ready to be put into place. */
  readonly values: string;
  readonly count: number;
}

/**
 * Writes the series of a set of observations as text, piece by piece, by the rules of its GeoJSON: one unit per KATO code that
 * has a district, ordered by code. It is read in one snapshot, which ends when the last piece is taken or the reader leaves.
 */
export async function* katoSeries(
  db: Database,
  setId: number,
  yearColumns: readonly YearColumn[],
): AsyncGenerator<string> {
  const dates = datesOf(yearColumns);
  const snapshot = db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const trx = await snapshot.execute();
  try {
    await raiseLimits(trx);
    await declareUnits(trx, setId);
    yield `{"dates":${JSON.stringify(dates)},"units":[`;
    let separator = '\n';
    for (;;) {
      const { rows } = await sql<UnitRow>`fetch ${sql.lit(unitsPerFetch)} from units`.execute(trx);
      if (rows.length === 0) break;
      for (const { kato_code: code, values, count } of rows) {
        if (count !== dates.length) throw new Error(`code ${code} has ${count} of ${dates.length} dates`);
        yield `${separator}{"kato_code":${JSON.stringify(code)},"values":[${values}]}`;
        separator = ',\n';
      }
    }
    yield `\n],"without_district":${JSON.stringify(await countWithoutDistrict(trx, setId))}}\n`;
  } finally {
    await trx.rollback().execute();
  }
}

function datesOf(yearColumns: readonly YearColumn[]): z.infer<typeof SeriesDate>[] {
  const periods = periodsOf(yearColumns);
  const starts = [...new Set(yearColumns.map(({ start_date: start }) => start))].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  return starts.map((start) => ({ start_date: start, end_date: periods.get(start) ?? null }));
}

async function declareUnits(trx: Transaction, setId: number): Promise<void> {
  await sql`
    declare units no scroll cursor for
    select kato_code, count(*)::integer as count,
      string_agg(coalesce(to_json(value)::text, to_json(value_text)::text, 'null'), ',' order by start_date) as values
    from (${shownObservations(setId, withDistrict)}) shown
    group by kato_code
    order by kato_code`.execute(trx);
}

async function countWithoutDistrict(trx: Transaction, setId: number) {
  const { rows } = await sql<z.infer<typeof WithoutDistrict>>`
    select count(distinct kato_code)::integer as codes, count(distinct row_number)::integer as rows
    from observations o
    where o.set_id = ${setId} and not ${withDistrict}`.execute(trx);
  return rows[0];
}
