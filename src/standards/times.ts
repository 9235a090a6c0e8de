/** A span of time in milliseconds since 1970; ±Infinity where it is open. Both ends belong to it. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

const instant = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?(?:Z|([+-])(\d\d):(\d\d))$/i;
const day = /^(\d{4})-(\d\d)-(\d\d)$/;
const dayMs = 86_400_000;
/** What a database and every client can hold. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Reads a time as RFC 3339 has it, to the millisecond; undefined for anything else. A leap second is the end of its minute. */
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

/** Reads a calendar date as the whole day, in UTC; undefined for anything else. */
export function parseDay(text: string): Interval | undefined {
  const found = day.exec(text);
  const from = found === null ? undefined : dayOf(Number(found[1]), Number(found[2]), Number(found[3]));
  return from === undefined ? undefined : { from: clamped(from), to: clamped(from + dayMs - 1) };
}

/**
 * Reads the parameter `datetime` of OGC APIs and STAC: a time, or two with a slash between, of which one may be `..` or nothing.
 * @param options.whole true where `../..` means all of time. @param options.days true where a day stands for all of it. @returns undefined for anything else, and where the end lies before the start
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

/** Returns the first millisecond of a day; undefined where the calendar has no such day. */
function dayOf(year: number, month: number, date: number): number | undefined {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, date);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date ? at.getTime() : undefined;
}

function clamped(ms: number): number {
  return Math.min(Math.max(ms, earliest), latest);
}
