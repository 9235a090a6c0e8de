import { formatNumber } from '../../../src/maps/legend/labels.ts';
import type { Language } from './languages.ts';

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
