import { sql } from 'kysely';
import { z } from 'zod';
import { beginSnapshot, raiseLimits } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { CalendarDate, Guid } from '../../validation/fields.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';
import { datesOf, shownObservations, withDistrict } from './kato-geojson.ts';
import { republicCode } from '../../../common/maps/units/levels.ts';
import { classifier } from '../../units/classifier/classifier.ts';
import { WithoutBorders, withoutBorders } from '../../units/classifier/without-borders.ts';
import { readSeriesHistory, SeriesHistory } from './series-history.ts';

const unitsPerFetch = 16;

export const SeriesDate = z.object({
  start_date: CalendarDate.describe('Point in time, or first day of the period'),
  end_date: CalendarDate.nullable().describe('Last day of the period; null for a point in time'),
});
export const RateReason = z.enum(['no_number', 'no_period', 'no_denominator', 'zero']);
/** Period of another table that is valid for a date of this one. */
export const usedPeriod = z
  .object(SeriesDate.shape)
  .nullable()
  .describe(
    'Period of the denominator that is valid for it; null without such a period, and then the rate is missing',
  );

const SeriesUnit = z.object({
  kato_code: z.string().describe('KATO code of the unit, as text'),
  values: z
    .array(z.union([z.number(), z.string()]).nullable())
    .describe(
      'One item for each of `dates`: a value, a text in its place, or null; with `rate=1` a rate or null',
    ),
  reasons: z
    .array(RateReason.nullable())
    .optional()
    .describe(
      'With `rate=1`, one item for each of `dates`: the reason for a missing rate, otherwise null. `no_number`: the value is not a number; `no_period`: no period of the denominator is valid; `no_denominator`: it has no number; `zero`: it is zero. Absent if all are null',
    ),
});
const SeriesRate = z.object({
  by: z.enum(['area', 'dataset']).describe('The denominator of the values'),
  dataset_id: Guid.nullable().describe('Id of the other table; null for areas'),
  per: z.int().describe('Hectares, or amount of the other table, to which a rate refers'),
  used: z.array(usedPeriod).optional().describe('One item for each of `dates`; absent for areas'),
});
const WithoutDistrict = z.object({
  codes: z.int().min(0).describe('Number of different codes without a district'),
  rows: z.int().min(0).describe('Number of table rows with such a code'),
});

/** The series of a table by KATO, for the API description; it is written as text, in chunks. */
export const KatoSeries = z
  .object({
    dates: z.array(SeriesDate).describe('Every mapped date once, in chronological order'),
    units: z.array(SeriesUnit).describe('One item for each code with a district, ordered by code'),
    without_district: WithoutDistrict.describe('Values without a district, which the map omits'),
    without_borders: WithoutBorders.optional(),
    rate: SeriesRate.optional().describe('Denominator of the values, with `rate=1`'),
    history: SeriesHistory.optional().describe(
      'State of the units at these dates; absent if all of them were the same as today',
    ),
  })
  .meta({
    id: 'KatoSeries',
    description: 'The values of a table by KATO, one for each unit and date',
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
        history: {
          units: [
            {
              kato_code: '333200000',
              values: [39_914, 40_102],
              from: [{ kato_code: '193200000', until: '2022-06-08' }],
            },
          ],
          breaks: [
            {
              kato_code: '630000000',
              date: '2022-06-08',
              kind: 'split',
              act: {
                kind: 'decree',
                number: '887',
                signed: '2022-05-03',
                date_is: 'force',
                source: 'https://kazpravda.kz/n/ukaz-o-sozdanii-treh-novyh-oblastey-podpisal-tokaev',
              },
            },
          ],
          absent: [{ kato_code: '100000000', until: '2022-06-08' }],
          left: [
            {
              kato_code: '635000000',
              name: 'Кокпектинский',
              until: '2022-06-07',
              reason: 'ended',
              to: ['104400000', '635600000'],
            },
          ],
        },
      },
    ],
  });

interface UnitRow {
  readonly kato_code: string;
  /** JSON text, ready to insert. */
  readonly values: string;
  readonly count: number;
}

/**
 * Writes the series of a set of observations in chunks of text, by the rules of its GeoJSON: one unit per KATO code
 * with a district, ordered by code. Reads one snapshot, which ends after the last chunk or when the reader leaves.
 */
export async function* katoSeries(
  db: Database,
  setId: number,
  yearColumns: readonly YearColumn[],
): AsyncGenerator<string> {
  const dates = datesOf(yearColumns);
  const trx = await beginSnapshot(db);
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
    const history = await readSeriesHistory(trx, setId, dates);
    const member = history === undefined ? '' : `,\n"history":${JSON.stringify(history)}`;
    const without = JSON.stringify(await countWithout(trx, setId)).slice(1, -1);
    yield `\n],${without}${member}}\n`;
  } finally {
    await trx.rollback().execute();
  }
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

/** Counts codes and rows that a map omits, and those of them whose unit the classifier has, in the members of a series. */
export async function countWithout(trx: Transaction, setId: number) {
  const without = await countWithoutDistrict(trx, setId);
  if (without === undefined || without.codes === 0) return { without_district: without };
  const codes = [...classifier().units.keys()].filter((code) => code !== republicCode);
  const { rows } = await sql<{ readonly kato_code: string; readonly rows: number }>`
    select kato_code, count(distinct row_number)::integer as rows
    from observations o
    where o.set_id = ${setId} and kato_code = any(${codes}) and not ${withDistrict}
    group by kato_code`.execute(trx);
  const byLevel = withoutBorders(rows);
  return { without_district: without, ...(byLevel.length === 0 ? {} : { without_borders: byLevel }) };
}

async function countWithoutDistrict(trx: Transaction, setId: number) {
  const { rows } = await sql<z.infer<typeof WithoutDistrict>>`
    select count(distinct kato_code)::integer as codes, count(distinct row_number)::integer as rows
    from observations o
    where o.set_id = ${setId} and not ${withDistrict}`.execute(trx);
  return rows[0];
}
