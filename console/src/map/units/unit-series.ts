import type { Properties } from '../../../../common/maps/style/filter.ts';
import { type UnitColumns, unitProperties } from '../../../../common/maps/units/unit-properties.ts';
import { formatDay, formatPeriod } from '../../../../common/formats/days.ts';
import type { Language } from '../../words/languages.ts';
import type { KatoSeries } from '../../service/types.ts';

/** First and last day as YYYY-MM-DD; null if there is no last day. */
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

/** Writes the dates of a series. Whole years, and days that are the same first or last day of every year, are written as years. */
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

/** The index of a date in a series; the last index if the date is undefined, -1 if the series lacks it. */
export function dateIndex({ dates }: Series, date: string | undefined): number {
  if (date === undefined) return dates.length - 1;
  return dates.findIndex(({ start_date: start }) => start === date);
}

/** The values of a date by KATO code, without null and empty ones. */
export function valuesAt({ units }: Series, index: number): ReadonlyMap<string, number | string> {
  return new Map(
    units.flatMap(({ kato_code: code, values }) => {
      const value = values[index];
      return value === undefined || value === null || value === '' ? [] : [[code, value] as const];
    }),
  );
}

/** A series, with the columns that a style can name. */
interface NamedSeries {
  readonly series: Series;
  readonly columns: UnitColumns;
  readonly names: ReadonlyMap<string, string>;
}

/** The columns that a style can name, for each unit of a series at a date. */
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
 * The codes of the units to draw: those of a table, and the units that it leaves out, which have no data. A table of districts leaves out
 * the other districts, except those of regions that it gives as a whole, and the cities that are regions.
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
  /** Rank from 1, the largest first; equal values share a rank. */
  readonly place: number;
  readonly of: number;
}

/** The rank of a unit among the units of its region with a number; undefined if it has no number or there are no others. */
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
