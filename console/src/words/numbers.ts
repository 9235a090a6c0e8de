import type { Language } from './languages.ts';

/** Chromium has no Kazakh numbers; in Kazakhstan they are written as in Russian. */
const localeOf = { en: 'en-GB', ru: 'ru-RU', kk: 'ru-RU' } as const satisfies Record<Language, string>;

const byteUnits = {
  en: ['B', 'kB', 'MB', 'GB', 'TB'],
  ru: ['Б', 'кБ', 'МБ', 'ГБ', 'ТБ'],
  kk: ['Б', 'кБ', 'МБ', 'ГБ', 'ТБ'],
} as const satisfies Record<Language, readonly string[]>;

/** Making one takes longer than writing a hundred numbers. */
const formats = new Map<string, Intl.NumberFormat>();

/** Writes a number with the separators of a language. */
export function formatNumber(value: number, language: Language, digits = 0): string {
  const key = `${language} ${digits}`;
  const format =
    formats.get(key) ?? new Intl.NumberFormat(localeOf[language], { maximumFractionDigits: digits });
  formats.set(key, format);
  return format.format(value);
}

/** Writes a size with three digits at most: `980 B`, `1.2 MB`. Units are decimal, as those of disks. */
export function formatBytes(bytes: number, language: Language): string {
  const units = byteUnits[language];
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${formatNumber(value, language, unit > 0 && value < 99.95 ? 1 : 0)}\u00a0${units[unit] ?? ''}`;
}
