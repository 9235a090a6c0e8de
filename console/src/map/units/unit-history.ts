import { dateIndex, type Series, type SeriesUnit } from './unit-series.ts';

/** The reason why a unit has no value at a date: the table has none, the unit did not exist yet, or the table leaves the unit out. */
export type WhyEmpty = 'empty' | 'absent' | 'outside';

/** Merges values under older codes of the same land into the current code. */
export function joined(series: Series): Series {
  const carried = new Map(series.history?.units.map((unit) => [unit.kato_code, unit]));
  if (carried.size === 0) return series;
  const own = new Set(series.units.map(({ kato_code: code }) => code));
  const units: SeriesUnit[] = [
    ...series.units.map((unit) => carried.get(unit.kato_code) ?? unit),
    ...[...carried.values()].filter(({ kato_code: code }) => !own.has(code)),
  ];
  return { ...series, units: units.toSorted((a, b) => (a.kato_code < b.kato_code ? -1 : 1)) };
}

/** The last day of a date of a series, which is that of its period. */
function dayOf({ dates }: Series, index: number): string {
  const { start_date: start = '', end_date: end = null } = dates[index] ?? {};
  return end ?? start;
}

/** Returns a function that gives the reason why a unit has no value at a date. */
export function whyEmptyAt(series: Series, date: string | undefined): (code: string) => WhyEmpty {
  const inTable = new Set(series.units.map(({ kato_code: code }) => code));
  const since = new Map(series.history?.absent.map(({ kato_code: code, until }) => [code, until]));
  const day = dayOf(series, dateIndex(series, date));
  return (code) => {
    if (day < (since.get(code) ?? '')) return 'absent';
    return inTable.has(code) ? 'empty' : 'outside';
  };
}

export interface SeriesBreak {
  readonly date: string;
  readonly kind: 'recode' | 'rename' | 'split' | 'merge' | 'border';
  readonly act: { readonly kind: 'decree' | 'decision'; readonly number: string | null };
  /** The first date of the series after it. */
  readonly before: number;
}

/** The breaks in the series of a unit, in the order of time. */
export function breaksOf(series: Series, code: string): readonly SeriesBreak[] {
  const breaks = series.history?.breaks.filter(({ kato_code: kato }) => kato === code) ?? [];
  return breaks
    .map(({ date, kind, act }) => {
      const before = series.dates.findIndex((_, index) => dayOf(series, index) >= date);
      return { date, kind, act, before };
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** Counts the units of a series that have a break. */
export function countBroken({ history }: Series): number {
  return new Set(history?.breaks.map(({ kato_code: code }) => code)).size;
}

/** Counts the codes and rows that are on no map, without units of the classifier that only lack a border. */
export function unknownOf({
  without_district: all,
  without_borders: known = [],
}: Pick<Series, 'without_district' | 'without_borders'>): Series['without_district'] {
  return {
    codes: known.reduce((left, { units }) => left - units, all.codes),
    rows: known.reduce((left, { rows }) => left - rows, all.rows),
  };
}

/** Returns true if a table has unknown codes, as distinct from those of former units. */
export function hasUnknown({ history, ...series }: Series): boolean {
  const without = unknownOf(series);
  const former = new Set([
    ...(history?.units.flatMap(({ from }) => from.map(({ kato_code: code }) => code)) ?? []),
    ...(history?.left.map(({ kato_code: code }) => code) ?? []),
  ]);
  const drawn = new Set(history?.units.map(({ kato_code: code }) => code));
  return without.codes > [...former].filter((code) => !drawn.has(code)).length;
}
