import { sql } from 'kysely';
import { z } from 'zod';
import type { Transaction } from '../../database/tables/tables.ts';
import { AnsweredAct, ChangeKind, toAct } from '../../units/history/schema.ts';
import { readSuccession } from '../../units/history/store.ts';
import { beginningOf, breaksOf, dayOf, currentSuccessorOf } from '../../units/history/land.ts';
import type { UnitLevel } from '../../../common/maps/units/levels.ts';
import type { Succession } from '../../units/history/succession.ts';
import { CalendarDate } from '../../validation/fields.ts';
import { shownObservations } from './kato-geojson.ts';

const code = (text: string) => z.string().describe(text);
const Value = z.union([z.number(), z.string()]).nullable();
type Value = z.infer<typeof Value>;
const Values = z.array(Value);

const Carried = z.object({
  kato_code: code('KATO code of the current unit'),
  values: z.array(Value).describe('One item for each of `dates`; they replace the values in `units`'),
  from: z
    .array(
      z.object({
        kato_code: code('A code under which the table has values of the same land'),
        until: CalendarDate.describe('First day on which the unit no longer had the code'),
      }),
    )
    .describe('Other codes whose values belong to the unit'),
});
const Break = z.object({
  kato_code: code('KATO code of the current unit'),
  date: CalendarDate.describe('Values before this day refer to other land than later values'),
  kind: ChangeKind,
  act: AnsweredAct,
});
const Absent = z.object({
  kato_code: code('KATO code of a current unit'),
  until: CalendarDate.describe('Day before which the unit did not exist'),
});
const Left = z.object({
  kato_code: code('A code of the table'),
  name: z.string().describe('Russian name of the unit with this code at that time'),
  until: CalendarDate.describe('First day on which the unit no longer existed'),
  reason: z
    .enum(['ended', 'reused'])
    .describe(
      '`ended`: its land went to several units, so its values belong to no current unit; `reused`: another unit has the code today, and the table does not show to which unit earlier values belong: they stay with the current unit',
    ),
  to: z.array(z.string()).describe('Known KATO codes of the current units on its land'),
});

/** State of the units at the dates of a series, derived from the table and the changes of units. */
export const SeriesHistory = z.object({
  units: z.array(Carried).describe('Units with values under other codes of the same land'),
  breaks: z.array(Break).describe('Changes of the land of units between dates of the series'),
  absent: z.array(Absent).describe('Current units that were created after the first date'),
  left: z.array(Left).describe('Codes of former units whose values belong to no current unit'),
});
export type SeriesHistory = z.infer<typeof SeriesHistory>;

interface DatedSeries {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  /** Values by the code in the table, one for each date: at least those of former codes. */
  readonly values: ReadonlyMap<string, readonly Value[]>;
  /** Current units, by code. */
  readonly today: ReadonlyMap<string, UnitLevel>;
  /** Codes of the table that current units have. */
  readonly drawn: ReadonlySet<string>;
}

const isThere = (value: Value | undefined) => value !== undefined && value !== null && value !== '';

/** Determines the state of the units at the dates of a series; undefined if all were the same as today. */
export function historyOfSeries(series: DatedSeries, succession: Succession): SeriesHistory | undefined {
  const days = series.dates.map(dayOf);
  const [first] = days;
  if (first === undefined) return undefined;
  const carried = new Map<string, { values: Value[]; from: z.infer<typeof Carried>['from'] }>();
  const left: z.infer<typeof Left>[] = [];
  const intoToday = (kato: string) => {
    const known = carried.get(kato) ?? {
      values: [...(series.values.get(kato) ?? days.map(() => null))],
      from: [],
    };
    carried.set(kato, known);
    return known;
  };

  for (const [kato, values] of series.values) {
    for (const unit of succession.versionsOf(kato)) {
      const places = days.flatMap((day, at) =>
        isThere(values[at]) && (unit.valid_from ?? '') <= day && day < unit.valid_to ? [at] : [],
      );
      if (places.length === 0) continue;
      const { valid_to: until, name } = unit;
      const current = currentSuccessorOf(kato, until, succession);
      if (current === kato) continue; // the code continued: its values are in place
      const to = succession
        .successorsOf(kato, days[places[0] ?? 0])
        .flatMap((successor) => successor.kato ?? []);
      const isReused = series.today.has(kato);
      if (current === undefined || !series.today.has(current)) {
        if (!isReused) left.push({ kato_code: kato, name, until, reason: 'ended', to });
        continue;
      }
      if (isReused && !followsThen(kato, until, series, succession)) {
        left.push({ kato_code: kato, name, until, reason: 'reused', to });
        continue;
      }
      const { values: into, from } = intoToday(current);
      for (const at of places) if (!isThere(into[at])) into[at] = values[at] ?? null;
      from.push({ kato_code: kato, until });
      if (isReused) for (const at of places) intoToday(kato).values[at] = null;
    }
  }

  const shown = new Set([...series.drawn, ...carried.keys()]);
  const breaks = [...shown].flatMap((kato) =>
    breaksOf(kato, series.dates, succession).map(({ date, kind, act }) => ({
      kato_code: kato,
      date,
      kind,
      act: toAct(act),
    })),
  );
  const levels = new Set([...shown].map((kato) => series.today.get(kato)));
  const absent = [...series.today].flatMap(([kato, level]) => {
    if (!levels.has(level)) return [];
    const since = beginningOf(kato, succession);
    return since === undefined || since <= first ? [] : [{ kato_code: kato, until: since }];
  });
  const units = [...carried].map(([kato, { values, from }]) => ({ kato_code: kato, values, from }));
  if (units.length + breaks.length + absent.length + left.length === 0) return undefined;
  return {
    units: units.toSorted(byCode),
    breaks: breaks.toSorted(byCode),
    absent: absent.toSorted(byCode),
    left,
  };
}

const byCode = (one: { readonly kato_code: string }, other: { readonly kato_code: string }) =>
  one.kato_code < other.kato_code ? -1 : one.kato_code > other.kato_code ? 1 : 0;

/** Returns true if a table uses former codes: it has another code that only former units had, with a value of that time. */
function followsThen(
  kato: string,
  until: string,
  { values, dates }: DatedSeries,
  succession: Succession,
): boolean {
  const current = currentSuccessorOf(kato, until, succession);
  const isEarlier = (code: string) =>
    values
      .get(code)
      ?.some(
        (value, at) => isThere(value) && dayOf(dates[at] ?? { start_date: '9999', end_date: null }) < until,
      ) === true;
  // The current code of the same unit has earlier values: the table uses current codes throughout.
  if (current !== undefined && isEarlier(current)) return false;
  return [...values.keys()].some(
    (code) =>
      code !== kato &&
      succession.isRetired(code) &&
      succession.changesFrom(code, until).length > 0 &&
      isEarlier(code),
  );
}

/** Reads the values of former codes, and determines the state of a table's units at its dates. */
export async function readSeriesHistory(
  trx: Transaction,
  setId: number,
  dates: DatedSeries['dates'],
): Promise<SeriesHistory | undefined> {
  const succession = await readSuccession(trx);
  const codes = [...succession.codes];
  const { rows } = await sql<{ readonly kato_code: string; readonly values: string }>`
    select kato_code, json_agg(coalesce(to_json(value), to_json(value_text)) order by start_date) as values
    from (${shownObservations(setId, sql<boolean>`o.kato_code = any(${codes})`)}) shown
    group by kato_code order by kato_code`.execute(trx);
  const units = await trx.selectFrom('districts').select(['kato_code', 'level']).execute();
  const today = new Map(units.map(({ kato_code: kato, level }) => [kato, level] as const));
  const { rows: all } = await sql<{ readonly kato_code: string }>`
    select distinct kato_code from observations where set_id = ${setId}`.execute(trx);
  const drawn = new Set(all.map(({ kato_code: kato }) => kato).filter((kato) => today.has(kato)));
  const values = new Map(rows.map((row) => [row.kato_code, Values.parse(JSON.parse(row.values))] as const));
  return historyOfSeries({ dates, values, today, drawn }, succession);
}
