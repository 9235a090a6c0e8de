import type { Language } from './numbers.ts';

const months = {
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  ru: [
    'января',
    'февраля',
    'марта',
    'апреля',
    'мая',
    'июня',
    'июля',
    'августа',
    'сентября',
    'октября',
    'ноября',
    'декабря',
  ],
  kk: [
    'қаңтар',
    'ақпан',
    'наурыз',
    'сәуір',
    'мамыр',
    'маусым',
    'шілде',
    'тамыз',
    'қыркүйек',
    'қазан',
    'қараша',
    'желтоқсан',
  ],
} as const satisfies Record<Language, readonly string[]>;

/** Writes a day, `YYYY-MM-DD`, out. Chromium has no Kazakh names of months, and Node.js abbreviates the word for a year. */
export function formatDay(day: string, language: Language): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const name = months[language][Number(month) - 1];
  if (name === undefined) return day;
  const plain = Number(date);
  if (language === 'kk') return `${year}\u00a0жылғы ${plain}\u00a0${name}`;
  return `${plain}\u00a0${name} ${year}`;
}

/** Endings of `of a day` in Kazakh, by month. */
const endings = 'дағы дағы дағы дегі дағы дағы дегі дағы тегі дағы дағы дағы'.split(' ');

/** Writes the day of a document: as `formatDay`, in Kazakh with the ending of an attribute. */
export function formatDayOfDocument(day: string, language: Language): string {
  const ending = language === 'kk' ? (endings[Number(day.slice(5, 7)) - 1] ?? '') : '';
  return formatDay(day, language) + ending;
}

/** Writes a period: a whole year as `2021`, whole years as `2019–2021`, a day once, and all else as two days. @returns undefined where it has neither day */
export function formatPeriod(
  start: string | null,
  end: string | null,
  language: Language,
): string | undefined {
  if (start === null || end === null) {
    const day = start ?? end;
    return day === null ? undefined : formatDay(day, language);
  }
  if (start === end) return formatDay(start, language);
  if (start.endsWith('-01-01') && end.endsWith('-12-31')) {
    const [from, to] = [start.slice(0, 4), end.slice(0, 4)];
    return from === to ? from : `${from}–${to}`;
  }
  return `${formatDay(start, language)} – ${formatDay(end, language)}`;
}

/** Writes a moment, in ISO 8601, as day and minute: in the time zone of the reader, or in UTC. */
export function formatMoment(moment: string, language: Language, zone: 'local' | 'utc' = 'local'): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const shown = new Date(date.getTime() - (zone === 'utc' ? 0 : date.getTimezoneOffset() * 60_000));
  const [day = '', time = ''] = shown.toISOString().split('T');
  return `${formatDay(day, language)}, ${time.slice(0, 5)}`;
}
