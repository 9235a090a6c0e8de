import { formatNumber, type Language } from './numbers.ts';

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

const units = {
  en: { second: 's', minute: 'min', hour: 'h' },
  ru: { second: 'с', minute: 'мин', hour: 'ч' },
  kk: { second: 'с', minute: 'мин', hour: 'сағ' },
} as const satisfies Record<Language, Readonly<Record<'second' | 'minute' | 'hour', string>>>;

/** Writes a duration: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. One that is negative counts as none. */
export function formatDuration(milliseconds: number, language: Language): string {
  const { second, minute, hour } = units[language];
  const seconds = Math.max(0, milliseconds / 1000);
  if (seconds < 9.95) return `${formatNumber(seconds, language, 1)}\u00a0${second}`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}\u00a0${second}`;
  const parts =
    whole < 3600
      ? [`${Math.floor(whole / 60)}\u00a0${minute}`, whole % 60 > 0 && `${whole % 60}\u00a0${second}`]
      : [
          `${Math.floor(whole / 3600)}\u00a0${hour}`,
          Math.floor((whole % 3600) / 60) > 0 && `${Math.floor((whole % 3600) / 60)}\u00a0${minute}`,
        ];
  return parts.filter((part) => part !== false).join(' ');
}
