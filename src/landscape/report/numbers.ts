import { formatNumber } from '../../maps/legend/labels.ts';
import type { Language } from '../../messages/languages/translate.ts';

/** Hectares as a person reads them: to a tenth below a hundred, else whole. */
export function formatHectares(hectares: number, language: Language): string {
  return formatNumber(hectares, language, hectares < 99.95 ? 1 : 0);
}

/** A share with one decimal; neither nothing nor all for what is a little. */
export function formatShare(share: number, language: Language): string {
  const percent = (text: number) => `${formatNumber(text, language, 1)}\u00a0%`;
  if (share > 0 && share < 0.001) return `<\u00a0${percent(0.1)}`;
  if (share > 0.999 && share < 1) return `>\u00a0${percent(99.9)}`;
  return percent(100 * share);
}

/** Before a fraction. */
const point = { en: '.', ru: ',', kk: ',' } as const satisfies Record<Language, string>;

/** Shares of a whole in tenths of a percent that are 100 % together: the largest remainders are rounded up. Zeros where there is no whole. */
export function formatParts(parts: readonly number[], language: Language): readonly string[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const exact = parts.map((part) => (whole > 0 ? (1000 * part) / whole : 0));
  const tenths = exact.map(Math.floor);
  const left = whole > 0 ? 1000 - tenths.reduce((sum, each) => sum + each, 0) : 0;
  const byRemainder = [...exact.keys()].toSorted(
    (one, other) => remainderOf(exact[other]) - remainderOf(exact[one]) || one - other,
  );
  for (const place of byRemainder.slice(0, left)) tenths[place] = (tenths[place] ?? 0) + 1;
  return tenths.map(
    (each) => `${formatNumber(Math.floor(each / 10), language)}${point[language]}${each % 10}\u00a0%`,
  );
}

function remainderOf(value = 0): number {
  return value - Math.floor(value);
}

const locales = { en: 'en-GB', ru: 'ru-RU', kk: 'kk-KZ' } as const satisfies Record<Language, string>;

/** A moment in UTC, to the minute; nothing where there is none. */
export function formatMoment(iso: string | null, language: Language): string {
  if (iso === null) return '–';
  return new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(iso));
}

/** A period: whole years as `2019–2021`, a day once, all else as two days; a dash where it has none. */
export function formatPeriod(start: string | null, end: string | null, language: Language): string {
  const isYears = start?.endsWith('-01-01') === true && end?.endsWith('-12-31') === true;
  const written = (day: string) => (isYears ? day.slice(0, 4) : formatDay(day, language));
  const days = [...new Set([start, end].flatMap((day) => (day === null ? [] : [written(day)])))];
  return days.length === 0 ? '–' : days.join(isYears ? '–' : ' – ');
}

function formatDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  );
}
