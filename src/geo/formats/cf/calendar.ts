/** Times by the CF conventions: a number of units since a date, in one of the calendars of climate models. */

/** Calendars by the names of the CF conventions. */
const calendarNames = new Map<string, Calendar>([
  ['standard', 'standard'],
  ['gregorian', 'standard'],
  ['none', 'none'],
  ['proleptic_gregorian', 'proleptic_gregorian'],
  ['noleap', 'noleap'],
  ['365_day', 'noleap'],
  ['all_leap', 'all_leap'],
  ['366_day', 'all_leap'],
  ['360_day', '360_day'],
  ['360', '360_day'],
  ['julian', 'julian'],
]);

export type Calendar =
  | 'standard'
  | 'proleptic_gregorian'
  | 'noleap'
  | 'all_leap'
  | '360_day'
  | 'julian'
  | 'none';

/** Date and time in a calendar, which may have days that do not exist: 30 February. */
export interface ModelDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Seconds since midnight. */
  readonly seconds: number;
}

/** A readable time axis, or the part of it that is not understood. */
export type TimeAxis =
  | { readonly calendar: Calendar; dateOf(value: number): ModelDate }
  | { readonly unknown: 'calendar' | 'units'; readonly text: string };

const unitMilliseconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:milliseconds?|millisec|msecs?|ms)$/i, 1],
  [/^(?:seconds?|secs?|s)$/i, 1000],
  [/^(?:minutes?|mins?)$/i, 60_000],
  [/^(?:hours?|hrs?|hr|h)$/i, 3_600_000],
  [/^(?:days?|d)$/i, 86_400_000],
];
const dayMilliseconds = 86_400_000;
const sinceDate =
  /^([a-z]+)\s+since\s+([+-]?\d{1,5})-(\d{1,2})(?:-(\d{1,2}))?(?:[T\s]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?$/i;

/** Reads the attributes `units` and `calendar` of a time axis. */
export function readTimeAxis(units: string, calendarName: string | undefined): TimeAxis {
  const name = (calendarName ?? 'standard').trim().toLowerCase();
  const calendar = calendarNames.get(name === '' ? 'standard' : name);
  if (calendar === undefined || calendar === 'none') return { unknown: 'calendar', text: calendarName ?? '' };
  if (/^days?\s+as\s+%Y%m%d\.%f$/i.test(units.trim())) return { calendar, dateOf: dateOfDigits };
  const read = sinceDate.exec(units.trim());
  const [, unit = '', year, month, day = '1', hour = '0', minute = '0', second = '0', zone = ''] = read ?? [];
  const milliseconds = unitMilliseconds.find(([pattern]) => pattern.test(unit))?.[1];
  // A month has a length only where all have the same.
  const monthDays = calendar === '360_day' && /^months?$/i.test(unit) ? 30 * dayMilliseconds : undefined;
  const step = milliseconds ?? monthDays;
  if (read === null || step === undefined) return { unknown: 'units', text: units };
  const start: ModelDate = { year: Number(year), month: Number(month), day: Number(day), seconds: 0 };
  if (!isDate(start, calendar)) return { unknown: 'units', text: units };
  const secondsOfDay = Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zoneSeconds(zone);
  const from = dayNumber(start, calendar) * 86_400 + secondsOfDay;
  return {
    calendar,
    dateOf(value) {
      // Values in hours and days are rounded: a second later is the next day.
      const seconds = Math.round(from + (value * step) / 1000);
      const days = Math.floor(seconds / 86_400);
      return { ...dateOfDay(days, calendar), seconds: seconds - days * 86_400 };
    },
  };
}

/** A number such as 20200115.5. */
function dateOfDigits(value: number): ModelDate {
  const digits = Math.floor(value);
  return {
    year: Math.floor(digits / 10_000),
    month: Math.floor(digits / 100) % 100,
    day: digits % 100,
    seconds: Math.round((value - digits) * 86_400),
  };
}

function zoneSeconds(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function isDate(date: ModelDate, calendar: Calendar): boolean {
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= daysIn(date, calendar);
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn({ year, month }: Pick<ModelDate, 'year' | 'month'>, calendar: Calendar): number {
  if (calendar === '360_day') return 30;
  if (month !== 2) return monthLengths[month - 1] ?? 0;
  return isLeap(year, calendar) ? 29 : 28;
}

function isLeap(year: number, calendar: Calendar): boolean {
  if (calendar === 'noleap') return false;
  if (calendar === 'all_leap') return true;
  const isJulian = calendar === 'julian' || (calendar === 'standard' && year <= 1582);
  return year % 4 === 0 && (isJulian || year % 100 !== 0 || year % 400 === 0);
}

/** The first day of the Gregorian calendar, in days since 1970-01-01. */
const firstGregorian = -141_427;

/** Days since an origin of the calendar; of calendars with real days since 1970-01-01 of the Gregorian calendar. */
function dayNumber({ year, month, day }: ModelDate, calendar: Calendar): number {
  switch (calendar) {
    case '360_day':
      return year * 360 + (month - 1) * 30 + day - 1;
    case 'noleap':
    case 'all_leap': {
      const before = Array.from({ length: month - 1 }, (_, index) =>
        daysIn({ year, month: index + 1 }, calendar),
      );
      const length = calendar === 'noleap' ? 365 : 366;
      return year * length + before.reduce((sum, days) => sum + days, 0) + day - 1;
    }
    case 'julian':
      return civilDay(year, month, day, true);
    case 'standard': {
      const gregorian = civilDay(year, month, day, false);
      return gregorian >= firstGregorian ? gregorian : civilDay(year, month, day, true);
    }
    default:
      return civilDay(year, month, day, false);
  }
}

function dateOfDay(days: number, calendar: Calendar): Omit<ModelDate, 'seconds'> {
  switch (calendar) {
    case '360_day': {
      const year = Math.floor(days / 360);
      const rest = days - year * 360;
      return { year, month: Math.floor(rest / 30) + 1, day: (rest % 30) + 1 };
    }
    case 'noleap':
    case 'all_leap': {
      const length = calendar === 'noleap' ? 365 : 366;
      const year = Math.floor(days / length);
      let [rest, month] = [days - year * length, 1];
      while (rest >= daysIn({ year, month }, calendar)) {
        rest -= daysIn({ year, month }, calendar);
        month += 1;
      }
      return { year, month, day: rest + 1 };
    }
    case 'julian':
      return civilDate(days, true);
    case 'standard':
      return civilDate(days, days < firstGregorian);
    default:
      return civilDate(days, false);
  }
}

/** Days since 1970-01-01 of the Gregorian calendar. Source: E. G. Richards, Mapping Time, 1998. */
function civilDay(year: number, month: number, day: number, isJulian: boolean): number {
  const shift = Math.floor((14 - month) / 12);
  const y = year + 4800 - shift;
  const m = month + 12 * shift - 3;
  const common = day + Math.floor((153 * m + 2) / 5) + 365 * y + Math.floor(y / 4);
  const julianDay = isJulian ? common - 32_083 : common - Math.floor(y / 100) + Math.floor(y / 400) - 32_045;
  return julianDay - 2_440_588;
}

function civilDate(days: number, isJulian: boolean): Omit<ModelDate, 'seconds'> {
  const julianDay = days + 2_440_588;
  const a = julianDay + 32_044;
  const b = isJulian ? 0 : Math.floor((4 * a + 3) / 146_097);
  const c = isJulian ? julianDay + 32_082 : a - Math.floor((146_097 * b) / 4);
  const d = Math.floor((4 * c + 3) / 1461);
  const e = c - Math.floor((1461 * d) / 4);
  const m = Math.floor((5 * e + 2) / 153);
  return {
    day: e - Math.floor((153 * m + 2) / 5) + 1,
    month: m + 3 - 12 * Math.floor(m / 10),
    year: 100 * b + d - 4800 + Math.floor(m / 10),
  };
}

/** Writes a date as `2001-02-30T12:00:00`, in its own calendar. */
export function isoOf({ year, month, day, seconds }: ModelDate): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return `${yearText(year)}-${two(month)}-${two(day)}T${time}`;
}

function yearText(year: number): string {
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
}

/** Returns the date of the Gregorian calendar: of the same day, or of the day with the same name, at the latest the last of its month. */
export function gregorianOf(date: ModelDate, calendar: Calendar): string {
  const isReal = calendar === 'julian' || calendar === 'standard';
  const { year, month, day } = isReal ? civilDate(dayNumber(date, calendar), false) : date;
  const last = daysIn({ year, month }, 'proleptic_gregorian');
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${yearText(year)}-${two(month)}-${two(Math.min(day, last))}`;
}

/** First and last day of a period, in the Gregorian calendar. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/** Returns the days from a time to another, whose last moment does not belong to the period. */
export function periodBetween(from: ModelDate, to: ModelDate, calendar: Calendar): Period {
  const start = gregorianOf(from, calendar);
  if (to.seconds > 0) return { start, end: gregorianOf(to, calendar) };
  const days = dayNumber(to, calendar) - 1;
  const last = gregorianOf({ ...dateOfDay(days, calendar), seconds: 0 }, calendar);
  // The 30th of a month of 30 days is the last of the month.
  const end = to.day === 1 && calendar === '360_day' ? lastOfMonth(last) : last;
  return { start, end: end < start ? start : end };
}

function lastOfMonth(date: string): string {
  const [year, month] = [Number(date.slice(0, -6)), Number(date.slice(-5, -3))];
  return `${date.slice(0, -2)}${daysIn({ year, month }, 'proleptic_gregorian')}`;
}

/** Mean days from one step to the next that mean months, and years. */
const monthDays = { least: 28, most: 31 };
const yearDays = { least: 359, most: 367 };

/** Returns the period of each step without bounds: its month or its year if the steps are months or years apart, else its day. */
export function periodsOf(dates: readonly ModelDate[], calendar: Calendar): readonly Period[] {
  const days = dates.map((date) => dayNumber(date, calendar) + date.seconds / 86_400);
  const gaps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const among = ({ least, most }: typeof monthDays) =>
    gaps.length > 0 && gaps.every((gap) => gap >= least && gap <= most);
  const areMonths =
    among(monthDays) && new Set(dates.map(({ year, month }) => year * 12 + month)).size === dates.length;
  const areYears = among(yearDays);
  return dates.map((date) => {
    const day = gregorianOf(date, calendar);
    if (areMonths) return { start: `${day.slice(0, -2)}01`, end: lastOfMonth(day) };
    if (areYears) return { start: `${day.slice(0, -6)}-01-01`, end: `${day.slice(0, -6)}-12-31` };
    return { start: day, end: day };
  });
}
