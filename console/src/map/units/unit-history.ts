import { dateIndex, type Series, type SeriesUnit } from './unit-series.ts';

/** Why a unit has no value at a date: the table has none, there was no such unit yet, or the table leaves the unit out. */
export type WhyEmpty = 'empty' | 'absent' | 'outside';

/** A series in which values under older codes of the same land lie under the code of today. */
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

/** The last day that a date of a series speaks of: that of its period. */
function dayOf({ dates }: Series, index: number): string {
  const { start_date: start = '', end_date: end = null } = dates[index] ?? {};
  return end ?? start;
}

/** Returns what tells of a unit without a value at a date why it has none. */
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

/** How many units of a series have a break. */
export function countBroken({ history }: Series): number {
  return new Set(history?.breaks.map(({ kato_code: code }) => code)).size;
}

/** Whether a table has codes that nothing is known of: those of former units are told apart from them. */
export function hasUnknown({ history, without_district: without }: Series): boolean {
  const former = new Set([
    ...(history?.units.flatMap(({ from }) => from.map(({ kato_code: code }) => code)) ?? []),
    ...(history?.left.map(({ kato_code: code }) => code) ?? []),
  ]);
  const drawn = new Set(history?.units.map(({ kato_code: code }) => code));
  return without.codes > [...former].filter((code) => !drawn.has(code)).length;
}
