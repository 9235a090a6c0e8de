export const periodKinds = [
  'year',
  'split_year',
  'years',
  'half_year',
  'quarter',
  'month',
  'months',
  'days',
  'day',
] as const;

/**
 * Kind of period in a text. `split_year` is 2020/21: July to June, or September to August for a school year. `years`,
 * `months` and `days` are ranges. `day` is a point in time.
 */
export type PeriodKind = (typeof periodKinds)[number];

/** A period with inclusive dates, or a point in time with a null end; dates are `YYYY-MM-DD`. */
export interface Period {
  readonly start_date: string;
  readonly end_date: string | null;
}

export type Bounds = Period & { readonly kind: PeriodKind };

export function day(year: number, month: number, number: number): Bounds | undefined {
  if (!(month >= 1 && month <= 12 && number >= 1 && number <= daysOf(year, month))) return undefined;
  return { start_date: isoDate(year, month, number), end_date: null, kind: 'day' };
}

/** Returns a range of days in one year. */
export function days(
  year: number,
  [fromDay, fromMonth]: readonly [number, number],
  [untilDay, untilMonth]: readonly [number, number],
): Bounds | undefined {
  const [from, until] = [day(year, fromMonth, fromDay), day(year, untilMonth, untilDay)];
  return from === undefined || until === undefined ? undefined : between(from, until);
}

/** Returns the range from the first day of one period to the last day of a later one. */
export function between(from: Bounds, until: Bounds): Bounds | undefined {
  const last = until.end_date ?? until.start_date;
  if ((from.end_date ?? from.start_date) >= until.start_date) return undefined;
  const kind = from.kind === 'day' ? 'days' : from.kind === 'year' ? 'years' : 'months';
  return { start_date: from.start_date, end_date: last, kind };
}

export function month(year: number, number: number): Bounds | undefined {
  return months(year, number, number);
}

export function months(year: number, from: number, until: number): Bounds | undefined {
  if (!(from >= 1 && until <= 12 && from <= until) || Number.isNaN(year)) return undefined;
  return { ...span(year, from, year, until), kind: from === until ? 'month' : 'months' };
}

/** Returns a range of parts of a year, each of `length` months. */
export function parts(year: number, from: number, until: number, length: 3 | 6): Bounds | undefined {
  if (from > until) return undefined;
  const all = months(year, (from - 1) * length + 1, until * length);
  if (all === undefined || from < until) return all;
  return { ...all, kind: length === 3 ? 'quarter' : 'half_year' };
}

export function years(from: number, until: number): Bounds | undefined {
  if (from >= until) return undefined;
  if (from + 1 === until) return { ...span(from, 7, until, 6), kind: 'split_year' };
  return { ...span(from, 1, until, 12), kind: 'years' };
}

/** Returns three months from the first one; winter continues into the next year. */
export function season(year: number, first: number): Bounds {
  return { ...span(year, first, first > 10 ? year + 1 : year, ((first + 1) % 12) + 1), kind: 'months' };
}

/** Returns the first, second or third ten days of a month; the third takes the remainder. */
export function thirdOfMonth(year: number, monthNumber: number, number: number): Bounds | undefined {
  if (number < 1 || number > 3) return undefined;
  const last = number === 3 ? daysOf(year, monthNumber) : number * 10;
  return days(year, [number * 10 - 9, monthNumber], [last, monthNumber]);
}

export function wholeYear(year: number): Bounds {
  return { ...span(year, 1, year, 12), kind: 'year' };
}

/** Returns the academic year that begins in September. */
export function studyYear(year: number): Bounds {
  return { ...span(year, 9, year + 1, 8), kind: 'split_year' };
}

/** Returns the range from the first day of a month to the last day of another. */
function span(
  fromYear: number,
  fromMonth: number,
  untilYear: number,
  untilMonth: number,
): Period & { end_date: string } {
  return {
    start_date: isoDate(fromYear, fromMonth, 1),
    end_date: isoDate(untilYear, untilMonth, daysOf(untilYear, untilMonth)),
  };
}

function daysOf(year: number, monthNumber: number): number {
  return new Date(Date.UTC(year, monthNumber, 0)).getUTCDate();
}

function isoDate(year: number, monthNumber: number, dayNumber: number): string {
  return `${year}-${String(monthNumber).padStart(2, '0')}-${String(dayNumber).padStart(2, '0')}`;
}
