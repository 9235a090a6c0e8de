/** What `GET /datasets/{id}/series` answers. */
export interface Series {
  readonly dates: readonly { readonly start_date: string; readonly end_date: string | null }[];
  readonly units: readonly SeriesUnit[];
  readonly without_district: { readonly codes: number; readonly rows: number };
}

export interface SeriesUnit {
  readonly kato_code: string;
  /** One for each date. */
  readonly values: readonly (number | string | null)[];
}

export type Value = number | string | undefined;

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

/**
 * The codes of the units to draw: those of a table, and where it speaks of one level alone the others of that level too,
 * which have no data. A table of several levels draws its own units, so that none hides another.
 */
export function unitsToDraw({ units }: Series, levels: readonly (readonly string[])[]): ReadonlySet<string> {
  const own = new Set(units.map(({ kato_code: code }) => code));
  const spoken = levels.filter((codes) => codes.some((code) => own.has(code)));
  return new Set([...own, ...(spoken.length === 1 ? spoken.flat() : [])]);
}

/** All dates of several series, each once, in order. */
export function allDates(series: readonly Series[]): readonly { start: string; end: string | null }[] {
  const ends = new Map<string, string | null>();
  for (const { dates } of series) {
    for (const { start_date: start, end_date: end } of dates) ends.set(start, ends.get(start) ?? end);
  }
  return [...ends].map(([start, end]) => ({ start, end })).toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

/** The part of a KATO code that names the region. */
const regionDigits = 2;

export interface Rank {
  /** From 1, the largest first; equal values share a place. */
  readonly place: number;
  readonly of: number;
}

/** The place of a unit among those of its region that have a number; undefined without a number or without others. */
export function rankInRegion(values: ReadonlyMap<string, number | string>, code: string): Rank | undefined {
  const own = values.get(code);
  if (typeof own !== 'number') return undefined;
  const region = code.slice(0, regionDigits);
  const numbers = [...values].flatMap(([other, value]) =>
    other.startsWith(region) && typeof value === 'number' ? [value] : [],
  );
  if (numbers.length < 2) return undefined;
  return { place: numbers.filter((number) => number > own).length + 1, of: numbers.length };
}
