import { type RawBuilder, sql } from 'kysely';
import { beginSnapshot, raiseLimits } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { tableProblems } from '../../messages/datasets.ts';
import { MiB } from '../../lib/units.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';

const featuresPerFetch = 16;
/** Limits all texts of one feature before they are written as JSON: some are in memory at once. */
const maxFeatureTextBytes = 4 * MiB;
const maxBytesPerCharacter = 3; // a character of two UTF-16 units has four

interface FeatureRow {
  readonly kato: string;
  readonly name: string;
  /** JSON texts, ready to be put into place. */
  readonly geometry: string;
  readonly data: string;
}

/**
 * Writes the GeoJSON of a set of observations as text, piece by piece: one Feature per KATO code that has a district, ordered
 * by code. It is read through a cursor, in one transaction that ends when the last piece is taken or the reader leaves.
 */
export async function* katoGeoJson(
  db: Database,
  setId: number,
  yearColumns: readonly YearColumn[],
): AsyncGenerator<string> {
  const periods = periodsMember(yearColumns);
  const trx = await beginSnapshot(db);
  try {
    await raiseLimits(trx);
    await declareFeatures(trx, setId);
    yield '{"type":"FeatureCollection","features":[';
    let separator = '\n';
    for (;;) {
      const { rows } = await sql<FeatureRow>`fetch ${sql.lit(featuresPerFetch)} from features`.execute(trx);
      if (rows.length === 0) break;
      for (const { kato, name, geometry, data } of rows) {
        const properties = `"kato":${JSON.stringify(kato)},"name":${JSON.stringify(name)},"data":${data}${periods}`;
        yield `${separator}{"type":"Feature","geometry":${geometry},"properties":{${properties}}}`;
        separator = ',\n';
      }
    }
    yield '\n]}\n';
  } finally {
    await trx.rollback().execute();
  }
}

/**
 * Checks that the features of a set of observations, in which there are so many characters of text, can be written.
 * Codes that have no district yet may get one.
 * @throws {Problem} that names a code with too much text.
 */
export async function checkFeatureTexts(db: Database, setId: number, textCharacters: number): Promise<void> {
  if (textCharacters * maxBytesPerCharacter <= maxFeatureTextBytes) return;
  const { rows } = await sql<{ readonly kato_code: string }>`
    select kato_code from (${shownObservations(setId, sql`true`)}) shown
    group by kato_code having sum(octet_length(value_text)) > ${maxFeatureTextBytes} limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return;
  throw tableProblems.tooMuchText(row.kato_code, maxFeatureTextBytes / MiB);
}

/** Selects one observation `o` for each code and start date: the last that is not empty, by mapping, then by file. */
export function shownObservations(setId: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select distinct on (o.kato_code, o.start_date) o.kato_code, o.start_date, o.value, o.value_text
    from observations o
    where o.set_id = ${sql.lit(setId)} and ${condition}
    order by o.kato_code, o.start_date, (o.value is null and o.value_text is null),
      o.mapping_order desc, o.row_number desc`;
}

/** Holds for an observation `o` whose code a district has. */
export const withDistrict = sql<boolean>`exists (select from districts d where d.kato_code = o.kato_code)`;

async function declareFeatures(trx: Transaction, setId: number): Promise<void> {
  await sql`
    declare features no scroll cursor for
    with shown as (${shownObservations(setId, withDistrict)}
    ), series as (
      select kato_code, '{' || string_agg(
        to_json(to_char(start_date, 'YYYY-MM-DD')) || ':' ||
          coalesce(to_json(value)::text, to_json(value_text)::text, 'null'), ',' order by start_date) || '}' as data
      from shown
      group by kato_code
    )
    select d.kato_code as kato, d.name, d.geometry, s.data
    from series s join districts d on d.kato_code = s.kato_code
    order by d.kato_code`.execute(trx);
}

/** Returns the `periods` property with the comma before it; nothing when all columns are points in time. */
function periodsMember(yearColumns: readonly YearColumn[]): string {
  const periods = periodsOf(yearColumns);
  return periods.size === 0 ? '' : `,"periods":${JSON.stringify(Object.fromEntries(periods))}`;
}

/** Returns the end dates of periods by their start dates, in the order of time; the later end wins. */
export function periodsOf(yearColumns: readonly YearColumn[]): ReadonlyMap<string, string> {
  const periods = new Map<string, string>();
  const byStart = yearColumns.toSorted((one, other) => (one.start_date < other.start_date ? -1 : 1));
  for (const { start_date, end_date } of byStart) {
    const known = periods.get(start_date);
    if (end_date && (known === undefined || end_date > known)) periods.set(start_date, end_date);
  }
  return periods;
}

/** Returns every mapped date once, in the order of time, with the end of its period. */
export function datesOf(
  yearColumns: readonly YearColumn[],
): { readonly start_date: string; readonly end_date: string | null }[] {
  const periods = periodsOf(yearColumns);
  const starts = [...new Set(yearColumns.map(({ start_date: start }) => start))].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  return starts.map((start) => ({ start_date: start, end_date: periods.get(start) ?? null }));
}
