import { sql } from 'kysely';
import { z } from 'zod';
import type { Transaction } from '../../database/tables/tables.ts';
import { AnsweredAct, ChangeKind, toAct } from '../../units/history/schema.ts';
import { readSuccession } from '../../units/history/store.ts';
import { beginningOf, breaksOf, dayOf, heirOf } from '../../units/history/land.ts';
import type { Succession, UnitLevel } from '../../units/history/succession.ts';
import { CalendarDate } from '../../validation/fields.ts';
import { shownObservations } from './kato-geojson.ts';

const code = (text: string) => z.string().describe(text);
const Value = z.union([z.number(), z.string()]).nullable();
type Value = z.infer<typeof Value>;
const Values = z.array(Value);

const Carried = z.object({
  kato_code: code('KATO code of the current unit'),
  values: z.array(Value).describe('One for each of `dates`, in the place of those in `units`'),
  from: z
    .array(
      z.object({
        kato_code: code('A code under which the table has values of the same land'),
        until: CalendarDate.describe('First day on which the unit no longer had it'),
      }),
    )
    .describe('Other codes whose values the unit has'),
});
const Break = z.object({
  kato_code: code('KATO code of the current unit'),
  date: CalendarDate.describe('Values before this day describe other land than later values'),
  kind: ChangeKind,
  act: AnsweredAct,
});
const Absent = z.object({
  kato_code: code('KATO code of a current unit'),
  until: CalendarDate.describe('The unit did not exist before this day'),
});
const Left = z.object({
  kato_code: code('A code of the table'),
  name: z.string().describe('Russian name of the unit that had it then'),
  until: CalendarDate.describe('First day on which the unit no longer existed'),
  reason: z
    .enum(['ended', 'reused'])
    .describe(
      '`ended`: its land went to several units, so its values belong to no current unit; `reused`: another unit has the code today, and the table does not show to which unit earlier values belong: they stay with the current unit',
    ),
  to: z
    .array(z.string())
    .describe('KATO codes of the current units that have its land, as far as they are known'),
});

/** What units were at the dates of a series; everything in it follows from the table and the changes of units. */
export const SeriesHistory = z.object({
  units: z.array(Carried).describe('Units with values under other codes of the same land'),
  breaks: z.array(Break).describe('Where the land of a unit changed between dates of the series'),
  absent: z.array(Absent).describe('Current units that were created after the first date'),
  left: z.array(Left).describe('Codes of former units whose values belong to no current unit'),
});
export type SeriesHistory = z.infer<typeof SeriesHistory>;

interface DatedSeries {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  /** Values by the code that the table has, one for each date: at least those of codes that units had before. */
  readonly values: ReadonlyMap<string, readonly Value[]>;
  /** The units of today, by code. */
  readonly today: ReadonlyMap<string, UnitLevel>;
  /** The codes of the table that units of today have. */
  readonly drawn: ReadonlySet<string>;
}

const isThere = (value: Value | undefined) => value !== undefined && value !== null && value !== '';

/** Finds out what the units of a series were at its dates; undefined where all were what they are. */
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
      const heir = heirOf(kato, until, succession);
      if (heir === kato) continue; // its code went on: the values are where they belong
      const to = succession
        .successorsOf(kato, days[places[0] ?? 0])
        .flatMap((successor) => successor.kato ?? []);
      const isReused = series.today.has(kato);
      if (heir === undefined || !series.today.has(heir)) {
        if (!isReused) left.push({ kato_code: kato, name, until, reason: 'ended', to });
        continue;
      }
      if (isReused && !followsThen(kato, until, series, succession)) {
        left.push({ kato_code: kato, name, until, reason: 'reused', to });
        continue;
      }
      const { values: into, from } = intoToday(heir);
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

/** Whether a table has the codes of before a change: another code that only units of before have, with a value of that time. */
function followsThen(
  kato: string,
  until: string,
  { values, dates }: DatedSeries,
  succession: Succession,
): boolean {
  const heir = heirOf(kato, until, succession);
  const isEarlier = (code: string) =>
    values
      .get(code)
      ?.some(
        (value, at) => isThere(value) && dayOf(dates[at] ?? { start_date: '9999', end_date: null }) < until,
      ) === true;
  // The code that the same unit has today, with values of before: the table has today's codes throughout.
  if (heir !== undefined && isEarlier(heir)) return false;
  return [...values.keys()].some(
    (code) =>
      code !== kato &&
      succession.isRetired(code) &&
      succession.changesFrom(code, until).length > 0 &&
      isEarlier(code),
  );
}

/** Reads the values of codes that units had before, and says what the units of a table were at its dates. */
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
