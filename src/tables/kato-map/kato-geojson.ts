import { type RawBuilder, sql } from 'kysely';
import { beginSnapshot, raiseLimits } from '../../database/transaction.ts';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { tableProblems } from '../../messages/datasets/english.ts';
import { MiB } from '../../lib/units.ts';
import type { YearColumn } from '../../table/mapping-schema.ts';

const featuresPerFetch = 16;
/** Limit of all texts of one feature before JSON encoding: several features are in memory at once. */
const maxFeatureTextBytes = 4 * MiB;
const maxBytesPerCharacter = 3; // a character of two UTF-16 units has four

interface FeatureRow {
  readonly kato: string;
  readonly name: string;
  /** JSON texts, ready to insert. */
  readonly geometry: string;
  readonly data: string;
}

/**
 * Writes the GeoJSON of a set of observations in chunks of text: one Feature per KATO code with a district, ordered by
 * code. Reads through a cursor, in one transaction that ends after the last chunk or when the reader leaves.
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
 * Checks that the features of a set of observations with `textCharacters` of text can be written. Codes without a
 * district may get one later.
 * @throws {Problem} naming a code with too much text.
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

/** Selects one observation `o` for each code and start date: the last non-empty one by mapping, then by position in the file. */
export function shownObservations(setId: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select distinct on (o.kato_code, o.start_date) o.kato_code, o.start_date, o.value, o.value_text
    from observations o
    where o.set_id = ${sql.lit(setId)} and ${condition}
    order by o.kato_code, o.start_date, (o.value is null and o.value_text is null),
      o.mapping_order desc, o.row_number desc`;
}

/** Condition on an observation `o`: a district has its code. */
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

/** Returns the `periods` property with a leading comma; empty if all columns are points in time. */
function periodsMember(yearColumns: readonly YearColumn[]): string {
  const periods = periodsOf(yearColumns);
  return periods.size === 0 ? '' : `,"periods":${JSON.stringify(Object.fromEntries(periods))}`;
}

/** Returns the end dates of periods by their start dates, in chronological order; the later end wins. */
export function periodsOf(yearColumns: readonly YearColumn[]): ReadonlyMap<string, string> {
  const periods = new Map<string, string>();
  const byStart = yearColumns.toSorted((one, other) => (one.start_date < other.start_date ? -1 : 1));
  for (const { start_date, end_date } of byStart) {
    const known = periods.get(start_date);
    if (end_date && (known === undefined || end_date > known)) periods.set(start_date, end_date);
  }
  return periods;
}

/** Returns every mapped date once, in chronological order, with the end of its period. */
export function datesOf(
  yearColumns: readonly YearColumn[],
): { readonly start_date: string; readonly end_date: string | null }[] {
  const periods = periodsOf(yearColumns);
  const starts = [...new Set(yearColumns.map(({ start_date: start }) => start))].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  return starts.map((start) => ({ start_date: start, end_date: periods.get(start) ?? null }));
}
