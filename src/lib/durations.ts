/** Calendar durations of ISO 8601 with one number and one unit: `P1Y`, `P3M`, `P2W`, `P60D`. */
export const calendarPattern = /^P([1-9][0-9]{0,2})([YMWD])$/;
/** A calendar duration or zero: `P0D`. */
export const gracePattern = /^P(?:0D|[1-9][0-9]{0,2}[YMWD])$/;
/** Up to 7 days, or one number of hours, minutes or seconds: `P1D`, `PT30M`, `PT0S`. */
export const holdPattern = /^P(?:[1-7]D|T(?:0S|[1-9][0-9]{0,2}[HMS]))$/;

const msPerDay = 86_400_000;
const lastDay = '9999-12-31';

/**
 * Adds a calendar duration to a date, both in ISO 8601. A day beyond the end of a month becomes its last day. The latest result is
 * 9999-12-31.
 * @param options.keepsMonthEnd maps the last day of a month to the last day of a month: 28 February plus one month is 31 March.
 * @throws {RangeError} for any other text.
 */
export function addCalendar(
  date: string,
  duration: string,
  { keepsMonthEnd = false }: { readonly keepsMonthEnd?: boolean } = {},
): string {
  if (duration === 'P0D') return date;
  const [, digits, unit] = calendarPattern.exec(duration) ?? [];
  if (digits === undefined || unit === undefined)
    throw new RangeError(`not a calendar duration: ${duration}`);
  const count = Number(digits);
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (unit === 'W' || unit === 'D')
    return isoDate(dayAt(year, month - 1, day + count * (unit === 'W' ? 7 : 1)));
  const months = month - 1 + count * (unit === 'Y' ? 12 : 1);
  const isMonthEnd = keepsMonthEnd && day === daysIn(year, month - 1);
  const days = daysIn(year, months);
  return isoDate(dayAt(year, months, isMonthEnd ? days : Math.min(day, days)));
}

/** Returns midnight UTC of a day; month and day may overflow. Years below 100 are not years of the 20th century. */
function dayAt(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date;
}

function daysIn(year: number, month: number): number {
  return dayAt(year, month + 1, 0).getUTCDate();
}

function isoDate(date: Date): string {
  const year = date.getUTCFullYear();
  return year > 9999
    ? lastDay
    : new Date(Math.floor(date.getTime() / msPerDay) * msPerDay).toISOString().slice(0, 10);
}

const secondsPer = { D: 86_400, H: 3600, M: 60, S: 1 } as const;

/** Returns a hold in seconds. @throws {RangeError} for any other text. */
export function secondsOfHold(text: string): number {
  if (!holdPattern.test(text)) throw new RangeError(`not a hold: ${text}`);
  const [, digits, unit] = /^PT?([0-9]+)([DHMS])$/.exec(text) ?? [];
  return Number(digits) * secondsPer[unit === 'D' || unit === 'H' || unit === 'M' ? unit : 'S'];
}
