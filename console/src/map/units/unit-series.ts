import type { Properties } from '../../../../common/maps/style/filter.ts';
import { type UnitColumns, unitProperties } from '../../../../common/maps/units/unit-properties.ts';
import { formatDay, formatPeriod } from '../../../../common/formats/days.ts';
import type { Language } from '../../words/languages.ts';
import type { KatoSeries } from '../../service/types.ts';

/** First and last day as YYYY-MM-DD; null where there is no last one. */
export interface Period {
  readonly start: string;
  readonly end: string | null;
}

/** Body of `GET /datasets/{id}/series`. */
export type Series = KatoSeries;

export type SeriesUnit = Pick<Series['units'][number], 'kato_code' | 'values' | 'reasons'>;

export type RateReason = NonNullable<NonNullable<SeriesUnit['reasons']>[number]>;

/** The first and last days of the dates of a series. */
export function periodsOf({ dates }: Series): readonly Period[] {
  return dates.map(({ start_date: start, end_date: end }) => ({ start, end }));
}

/** Writes the dates of a series: whole years, and days that are the same first or last day of every year, as years. */
export function formatDates(dates: readonly Period[], language: Language): readonly string[] {
  const years = new Set(dates.map(({ start }) => start.slice(0, 4)));
  const days = new Set(dates.map(({ start }) => start.slice(4)));
  const isYearly =
    years.size === dates.length && days.size === 1 && (days.has('-01-01') || days.has('-12-31'));
  return dates.map(({ start, end }) => {
    if (end !== null) return formatPeriod(start, end, language) ?? start;
    return isYearly ? start.slice(0, 4) : formatDay(start, language);
  });
}

/** The index of a date in a series; the last one where the date is not asked for, -1 where the series lacks it. */
export function dateIndex({ dates }: Series, date: string | undefined): number {
  if (date === undefined) return dates.length - 1;
  return dates.findIndex(({ start_date: start }) => start === date);
}

/** The values of a date by KATO code; what is null or empty is left out. */
export function valuesAt({ units }: Series, index: number): ReadonlyMap<string, number | string> {
  return new Map(
    units.flatMap(({ kato_code: code, values }) => {
      const value = values[index];
      return value === undefined || value === null || value === '' ? [] : [[code, value] as const];
    }),
  );
}

/** A series, and what a style can name beside it. */
interface NamedSeries {
  readonly series: Series;
  readonly columns: UnitColumns;
  readonly names: ReadonlyMap<string, string>;
}

/** What a style can name of each unit of a series at a date. */
export function unitsAt(
  { series, columns, names }: NamedSeries,
  date: string | undefined,
): ReadonlyMap<string, Properties> {
  const { dates, units } = series;
  const shown = dates[dateIndex(series, date)]?.start_date ?? '';
  return new Map(
    units.map(({ kato_code: kato, values }) => {
      const data = Object.fromEntries(dates.map(({ start_date: day }, index) => [day, values[index]]));
      const facts = { kato, name: names.get(kato) ?? kato, data };
      return [kato, unitProperties(facts, { columns, shown })];
    }),
  );
}

/** The part of a KATO code that names the region. */
const regionOf = (code: string) => code.slice(0, 2);

/**
 * The codes of the units to draw: those of a table, and those that it leaves out, which have no data. Where it speaks of
 * districts these are the other districts, but for those of regions that it gives whole, and the cities that are regions.
 */
export function unitsToDraw(
  { units }: Series,
  regions: readonly string[],
  districts: readonly string[],
): ReadonlySet<string> {
  const own = new Set(units.map(({ kato_code: code }) => code));
  if (!districts.some((code) => own.has(code))) {
    return regions.some((code) => own.has(code)) ? new Set([...own, ...regions]) : own;
  }
  const whole = new Set(regions.filter((code) => own.has(code)).map(regionOf));
  const divided = new Set(districts.map(regionOf));
  return new Set([
    ...own,
    ...districts.filter((code) => !whole.has(regionOf(code))),
    ...regions.filter((code) => !divided.has(regionOf(code))),
  ]);
}

/** All dates of several series, each once, in order. */
export function allDates(series: readonly Series[]): readonly Period[] {
  const ends = new Map<string, string | null>();
  for (const { start, end } of series.flatMap(periodsOf)) ends.set(start, ends.get(start) ?? end);
  return [...ends].map(([start, end]) => ({ start, end })).toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

export interface Rank {
  /** From 1, the largest first; equal values share a place. */
  readonly place: number;
  readonly of: number;
}

/** The place of a unit among those of its region that have a number; undefined without a number or without others. */
export function rankInRegion(values: ReadonlyMap<string, number | string>, code: string): Rank | undefined {
  const own = values.get(code);
  if (typeof own !== 'number') return undefined;
  const region = regionOf(code);
  const numbers = [...values].flatMap(([other, value]) =>
    other.startsWith(region) && typeof value === 'number' ? [value] : [],
  );
  if (numbers.length < 2) return undefined;
  return { place: numbers.filter((number) => number > own).length + 1, of: numbers.length };
}
