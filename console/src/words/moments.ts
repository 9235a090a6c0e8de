import { formatNumber } from '../../../common/maps/legend/labels.ts';
import { formatDay } from './formats.ts';
import type { Language } from './languages.ts';

/** Writes a moment, in ISO 8601, as day and minute in the time zone of the reader. */
export function formatMoment(moment: string, language: Language): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${formatDay(day, language)}, ${two(date.getHours())}:${two(date.getMinutes())}`;
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
