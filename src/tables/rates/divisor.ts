import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../database/tables/tables.ts';
import type { Message } from '../../lib/message.ts';
import { denominatorPhrases, tableOutProblems } from '../../messages/tables/english.ts';
import { parseYearColumns } from '../../table/mapping-schema.ts';
import { datesOf } from '../kato-map/kato-geojson.ts';
import { readDistrictsVersion } from '../../database/districts-version.ts';
import { type Period, type Rate, rateOf, validPeriod } from './rate.ts';
import type { UnitAreas } from './unit-areas.ts';

/** The chosen denominator of a table, with the state of the other table. */
export interface DenominatorChoice {
  readonly kind: 'area' | 'dataset';
  readonly per: number;
  /** Null for areas, and for a deleted table. */
  readonly denominator_id: string | null;
  readonly name: string | null;
  readonly unit: string | null;
  readonly status: string | null;
  readonly observation_set_id: number | null;
  readonly year_columns: string | null;
}

export async function readChoice(
  trx: Transaction,
  datasetId: string,
): Promise<DenominatorChoice | undefined> {
  return await trx
    .selectFrom('dataset_denominators as chosen')
    .leftJoin('datasets as divisor', 'divisor.id', 'chosen.denominator_id')
    .select([
      'chosen.kind',
      'chosen.per',
      'chosen.denominator_id',
      'divisor.name',
      'divisor.unit',
      'divisor.status',
      'divisor.observation_set_id',
      'divisor.year_columns',
    ])
    .where('chosen.dataset_id', '=', datasetId)
    .executeTakeFirst();
}

/** Returns the state of the chosen denominator. */
export function stateOfChoice(
  choice: Pick<DenominatorChoice, 'kind' | 'denominator_id' | 'status' | 'observation_set_id'>,
): 'ready' | 'waiting' | 'gone' {
  if (choice.kind === 'area') return 'ready';
  if (choice.denominator_id === null) return 'gone';
  return choice.status === 'ready' && choice.observation_set_id !== null ? 'ready' : 'waiting';
}

/** Returns the legend text of a rate, such as `per 1,000 ha`. */
export function labelOf({
  kind,
  per,
  name,
  unit,
}: Pick<DenominatorChoice, 'kind' | 'per' | 'name' | 'unit'>): Message {
  if (kind === 'area') return per === 100 ? denominatorPhrases.perKm2 : denominatorPhrases.perHa(per);
  return denominatorPhrases.perUnit(per, unit ?? name ?? '');
}

/** The denominator of a table, from the snapshot in which the table is read. */
export interface Divisor {
  readonly choice: DenominatorChoice;
  /** Identifies everything that it depends on. */
  readonly version: string;
  /** Returns the denominator period that is used for a period of the table; undefined if none is valid, and for areas, which have none. */
  usedFor(period: Period): Period | undefined;
  /**
   * Adds `divisor.value`, the denominator for the same code by the rule of maps, to a query of observations `o`.
   * @param start its date; null if no period is valid.
   */
  joined(start: RawBuilder<unknown>): RawBuilder<unknown>;
  /** @param divisor denominator from the query @param used period for which it was queried. */
  rateOf(observed: {
    readonly code: string;
    readonly value: number | string | null;
    readonly divisor: number | null;
    readonly used: Period | undefined;
  }): Rate & { readonly divisor: number | null };
}

/** Limit of compared pairs of dates: more would block other requests. */
const maxPairs = 20_000_000;

/**
 * Reads the denominator of a table with `dates`.
 * @throws {Problem} `conflict` if the table has none, or one that is deleted, not ready, or has too many dates.
 */
export async function readDivisor(
  trx: Transaction,
  { datasetId, dates }: { readonly datasetId: string; readonly dates: number },
  unitAreas: (trx: Transaction) => Promise<UnitAreas>,
): Promise<Divisor> {
  const choice = await readChoice(trx, datasetId);
  if (choice === undefined) throw tableOutProblems.noDenominator();
  const { kind, per, name, unit, denominator_id: id, observation_set_id: setId } = choice;
  const state = stateOfChoice(choice);
  if (state === 'gone') throw tableOutProblems.denominatorGone();
  if (state === 'waiting') throw tableOutProblems.denominatorWaits(name ?? '');
  const districts = await readDistrictsVersion(trx);
  const version = JSON.stringify([kind, per, id, setId, name, unit, kind === 'area' ? districts : null]);
  if (kind === 'area') {
    const areas = await unitAreas(trx);
    return {
      choice,
      version,
      usedFor: () => undefined,
      joined: () => sql`cross join (select null::double precision as value) divisor`,
      rateOf({ code, value }) {
        const divisor = areas.get(code) ?? null;
        return { ...rateOf(value, divisor, per), divisor };
      },
    };
  }
  return { choice, version, ...tableDivisor(choice, dates) };
}

/** Returns another table as a denominator. @throws {Problem} `conflict` for too many dates. */
export function tableDivisor(
  { per, observation_set_id: setId, year_columns: columns }: DenominatorChoice,
  dates: number,
): Pick<Divisor, 'usedFor' | 'joined' | 'rateOf'> {
  const periods = datesOf(parseYearColumns(columns));
  if (periods.length * dates > maxPairs) throw tableOutProblems.tooManyDates();
  return {
    usedFor: (period) => validPeriod(period, periods),
    joined: (start) => sql`
      left join lateral (
        select b.value from observations b
        where b.set_id = ${sql.lit(setId)} and b.kato_code = o.kato_code and b.start_date = ${start}
        order by (b.value is null and b.value_text is null), b.mapping_order desc, b.row_number desc
        limit 1
      ) divisor on true`,
    rateOf({ value, divisor, used }) {
      return { ...rateOf(value, used === undefined ? undefined : divisor, per), divisor };
    },
  };
}
