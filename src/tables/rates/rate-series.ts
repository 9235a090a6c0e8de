import { sql } from 'kysely';
import type { Database, Transaction } from '../../database/tables/tables.ts';
import { inSnapshot, raiseLimits } from '../../database/transaction.ts';
import { createCache } from '../../../common/cache.ts';
import { datasetProblems } from '../../messages/datasets/english.ts';
import { fileProblems } from '../../messages/request/english.ts';
import { datesOf, shownObservations, withDistrict } from '../kato-map/kato-geojson.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { countWithout } from '../kato-map/kato-series.ts';
import { readSeriesHistory } from '../kato-map/series-history.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { type Divisor, readDivisor } from './divisor.ts';
import type { Period, RateReason } from './rate.ts';
import type { UnitAreas } from './unit-areas.ts';

/** A table with rates, in a snapshot. */
interface RatedTable {
  readonly id: string;
  readonly setId: number;
  readonly dates: readonly Period[];
  readonly divisor: Divisor;
  /** Identifies everything that its rates depend on. */
  readonly version: string;
}

export type Rates = ReturnType<typeof createRates>;

/** The same number of dates as in tiles. */
const latestDates = 30;

/** Creates the reader of rates, for one process. @param unitAreas reads the areas of the administrative units. */
export function createRates(db: Database, unitAreas: (trx: Transaction) => Promise<UnitAreas>) {
  const ofTiles = createCache<RatesByCode>({ max: 32 });

  /** @throws {Problem} as for a replaced object, if the version of the table is not `wanted`. */
  async function fromTable<T>(
    { datasetId, wanted }: { readonly datasetId: string; readonly wanted?: string },
    read: (trx: Transaction, table: RatedTable) => Promise<T>,
  ): Promise<T> {
    return await inSnapshot(db, async (trx) => {
      await raiseLimits(trx);
      const table = await ratedTable(trx, datasetId, unitAreas);
      if (wanted !== undefined && table.version !== wanted) throw fileProblems.gone();
      return await read(trx, table);
    });
  }

  async function readSeries(trx: Transaction, table: RatedTable): Promise<string> {
    const { setId, dates, divisor } = table;
    const units = await ratesOf(trx, table, dates);
    const { kind, denominator_id: id, per } = divisor.choice;
    const history = await readSeriesHistory(trx, setId, dates);
    const ratesOfUnit = new Map(units.map(({ code, rates }) => [code, rates]));
    // The land is the same, so that its area is known; the denominator of a value under another code is not.
    const carried = history?.units.map(({ kato_code: code, values, from }) => ({
      kato_code: code,
      values: values.map((value, index) =>
        kind === 'area'
          ? divisor.rateOf({ code, value, divisor: null, used: undefined }).rate
          : (ratesOfUnit.get(code)?.[index] ?? null),
      ),
      from,
    }));
    const used = kind === 'area' ? {} : { used: dates.map((date) => divisor.usedFor(date) ?? null) };
    return JSON.stringify({
      dates,
      units: units.map(({ code, rates, reasons }) => ({
        kato_code: code,
        values: rates,
        ...(reasons.every((reason) => reason === null) ? {} : { reasons }),
      })),
      ...(await countWithout(trx, setId)),
      ...(history === undefined ? {} : { history: { ...history, units: carried } }),
      rate: { by: kind, dataset_id: id, per, ...used },
    });
  }

  async function readByCode(
    trx: Transaction,
    table: RatedTable,
    date: string | undefined,
  ): Promise<RatesByCode> {
    const dates =
      date === undefined
        ? table.dates.slice(-latestDates)
        : table.dates.filter(({ start_date: start }) => start === date);
    const units = await ratesOf(trx, table, dates);
    return Object.fromEntries(
      units.map(({ code, rates }) => [
        code,
        Object.fromEntries(dates.map(({ start_date: start }, index) => [start, rates[index] ?? null])),
      ]),
    );
  }

  return {
    unitAreas,
    /**
     * Finds the current rates of a table.
     * @throws {Problem} `not_found`; `invalid` for another type; `conflict` while the table is not ready, or has no denominator.
     */
    async of(datasetId: string) {
      const wanted = await fromTable({ datasetId }, async (_trx, { version }) => version);
      return {
        /** Identifies everything that the rates depend on. */
        version: wanted,
        /** Writes the series with rates instead of values. @throws {Problem} if the table has been replaced. */
        series: async () => await fromTable({ datasetId, wanted }, readSeries),
        /**
         * Returns rates by code and start date: for one date, or for the latest ones.
         * @throws {Problem} if they have been replaced.
         */
        byCode: async (date: string | undefined): Promise<RatesByCode> =>
          await ofTiles.get(
            `${wanted} ${date ?? ''}`,
            async () =>
              await fromTable(
                { datasetId, wanted },
                async (trx, table) => await readByCode(trx, table, date),
              ),
          ),
      };
    },
  };
}

/** Rates by KATO code, then by start date. */
export type RatesByCode = Readonly<Record<string, Readonly<Record<string, number | null>>>>;

async function ratedTable(
  trx: Transaction,
  id: string,
  unitAreas: (trx: Transaction) => Promise<UnitAreas>,
): Promise<RatedTable> {
  const table = await trx
    .selectFrom('datasets')
    .select(['file_type', 'status', 'kato_column', 'observation_set_id', 'year_columns'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (table === undefined) throw datasetProblems.notFound();
  const { file_type: type, status, observation_set_id: setId, year_columns: columns } = table;
  if (type !== 'vector_with_kato') throw datasetProblems.noTable();
  if (status !== 'ready' || setId === null) throw datasetProblems.noSeriesYet(table);
  const dates = datesOf(parseYearColumns(columns));
  const divisor = await readDivisor(trx, { datasetId: id, dates: dates.length }, unitAreas);
  const version = JSON.stringify([setId, columns, await readDistrictsVersion(trx), divisor.version]);
  return { id, setId, dates, divisor, version };
}

interface UnitRates {
  readonly code: string;
  /** One for each requested date. */
  readonly rates: readonly (number | null)[];
  readonly reasons: readonly (RateReason | null)[];
}

/** Computes the rates that a map shows: one number per unit and date. */
async function ratesOf(
  trx: Transaction,
  { setId, divisor }: RatedTable,
  dates: readonly Period[],
): Promise<readonly UnitRates[]> {
  const used = new Map(dates.map((date) => [date.start_date, divisor.usedFor(date)]));
  const starts = Object.fromEntries(
    [...used].flatMap(([start, period]) => (period ? [[start, period.start_date]] : [])),
  );
  const start = sql`(${JSON.stringify(starts)}::jsonb ->> to_char(o.start_date, 'YYYY-MM-DD'))::date`;
  const wanted = sql<boolean>`${withDistrict} and o.start_date = any(${[...used.keys()]}::date[])`;
  const { rows } = await sql<Observed>`
    select o.kato_code, jsonb_agg(jsonb_build_array(to_char(o.start_date, 'YYYY-MM-DD'), o.value, divisor.value)) as observed
    from (${shownObservations(setId, wanted)}) o
    ${divisor.joined(start)}
    group by o.kato_code
    order by o.kato_code`.execute(trx);
  return rows.map(({ kato_code: code, observed }) => {
    const byDate = new Map(observed.map(([date, ...values]) => [date, values]));
    const rated = dates.map(({ start_date: date }) => {
      const [value = null, amount = null] = byDate.get(date) ?? [];
      return divisor.rateOf({ code, value, divisor: amount, used: used.get(date) });
    });
    return {
      code,
      rates: rated.map(({ rate }) => rate),
      reasons: rated.map((each) => (each.rate === null ? each.reason : null)),
    };
  });
}

interface Observed {
  readonly kato_code: string;
  readonly observed: readonly (readonly [date: string, value: number | null, divisor: number | null])[];
}
