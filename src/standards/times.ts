/** A closed time span in milliseconds since 1970; ±Infinity for an open end. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const instant = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const dayMs = 86_400_000;
/** Range that the database and every client can represent. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an RFC 3339 time to the millisecond; undefined for anything else. A leap second becomes the end of its minute. */
export function parseInstant(text: string): number | undefined {
  const found = instant.exec(text);
  if (found === null) return undefined;
  const [, year, month, date, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = found;
  const dayStart = dayOf(Number(year), Number(month), Number(date));
  if (dayStart === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const ms = second === '60' ? 59_999 : Number(second) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  const offsetMs =
    (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return clamped(dayStart + (Number(hour) * 60 + Number(minute)) * 60_000 + ms - offsetMs);
}

/** Parses a calendar date as a whole day in UTC; undefined for anything else. */
export function parseDay(text: string): Interval | undefined {
  const found = day.exec(text);
  const from = found === null ? undefined : dayOf(Number(found[1]), Number(found[2]), Number(found[3]));
  return from === undefined ? undefined : { from: clamped(from), to: clamped(from + dayMs - 1) };
}

/**
 * Parses the parameter `datetime` of OGC APIs and STAC: a time, or two separated by a slash, of which one may be `..` or empty.
 * @param options.whole accepts `../..` for all time. @param options.days accepts a date for a whole day. @returns undefined for anything
 * else, and if the end precedes the start
 */
export function parseInterval(text: string, { whole = false, days = false } = {}): Interval | undefined {
  const ends = text.split('/');
  const [first = '', second] = ends;
  // GDAL writes a day as `2024-06-01T`.
  const spanOf = (end: string) => parseMoment(end) ?? (days ? parseDay(end.replace(/T$/, '')) : undefined);
  if (second === undefined) return spanOf(first);
  const from = isOpen(first) ? -Infinity : spanOf(first)?.from;
  const to = isOpen(second) ? Infinity : spanOf(second)?.to;
  if (ends.length > 2 || from === undefined || to === undefined || from > to) return undefined;
  return from === -Infinity && to === Infinity && !whole ? undefined : { from, to };
}

function parseMoment(text: string): Interval | undefined {
  const at = parseInstant(text);
  return at === undefined ? undefined : { from: at, to: at };
}

function isOpen(end: string): boolean {
  return end === '' || end === '..';
}

/** Returns the first millisecond of a day; undefined for a day that does not exist. */
function dayOf(year: number, month: number, date: number): number | undefined {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, date);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date ? at.getTime() : undefined;
}

function clamped(ms: number): number {
  return Math.min(Math.max(ms, earliest), latest);
}
