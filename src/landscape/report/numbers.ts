import { formatNumber } from '../../../common/maps/legend/labels.ts';
import type { Language } from '../../messages/languages/translate.ts';

/** Hectares as a person reads them: to a tenth below a hundred, else whole. */
export function formatHectares(hectares: number, language: Language): string {
  return formatNumber(hectares, language, hectares < 99.95 ? 1 : 0);
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
