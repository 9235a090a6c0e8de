import type { Language } from './languages.ts';
import { formatNumber } from '../../../common/maps/legend/labels.ts';

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

/** Writes a day, `YYYY-MM-DD`, out. Chromium has no Kazakh names of months, so all come from here. */
export function formatDay(day: string, language: Language): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const name = months[language][Number(month) - 1];
  if (name === undefined) return day;
  const plain = Number(date);
  if (language === 'kk') return `${year}\u00a0жылғы ${plain}\u00a0${name}`;
  return `${plain}\u00a0${name} ${year}`;
}

/** Writes a period: a whole year as `2021`, whole years as `2019–2021`, a day once, and all else as two days. */
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

const byteUnits = {
  en: ['B', 'kB', 'MB', 'GB', 'TB'],
  ru: ['Б', 'кБ', 'МБ', 'ГБ', 'ТБ'],
  kk: ['Б', 'кБ', 'МБ', 'ГБ', 'ТБ'],
} as const satisfies Record<Language, readonly string[]>;

/** Writes a size with three digits at most: `980 B`, `1.2 MB`. Units are decimal, as those of disks. */
export function formatBytes(bytes: number, language: Language): string {
  const units = byteUnits[language];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${formatNumber(value, language, unit > 0 && value < 99.95 ? 1 : 0)}\u00a0${units[unit] ?? ''}`;
}
