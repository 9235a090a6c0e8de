import { formatNumber } from '../../../src/maps/legend/labels.ts';
import { formatDay, formatPeriod } from '../words/dates.ts';
import type { MapWords } from '../words/map/words.ts';
import type { Language } from '../words/languages.ts';
import type { Period } from './series.ts';

/** The words and the language in which a map speaks. */
export interface MapSpeech {
  readonly words: MapWords;
  readonly language: Language;
}

/** Writes the dates of a series: whole years, and days that are the same first or last day of every year, as years. */
export function formatDates(dates: readonly Period[], language: Language): readonly string[] {
  const years = new Set(dates.map(({ start }) => start.slice(0, 4)));
  const days = new Set(dates.map(({ start }) => start.slice(4)));
  const isYearly =
    years.size === dates.length && days.size === 1 && (days.has('-01-01') || days.has('-12-31'));
  return dates.map(({ start, end }) => {
    if (end !== null) return formatPeriod(start, end, language) ?? start;
    return isYearly ? start.slice(0, 4) : formatDay(start, language);
  });
}

/** Writes a place with four decimals, about ten metres. */
export function formatPlace(lat: number, lon: number, { words, language }: MapSpeech): string {
  const degrees = (value: number) => `${formatNumber(Math.abs(value), language, 4)}°`;
  const north = `${degrees(lat)} ${lat < 0 ? words.south : words.north}`;
  return `${north} ${degrees(lon)} ${lon < 0 ? words.west : words.east}`;
}
