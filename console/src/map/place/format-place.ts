import { formatNumber } from '../../../../common/formats/numbers.ts';
import type { MapLocale } from '../words/words.ts';

/** Writes a place with four decimals, about ten metres. */
export function formatPlace(lat: number, lon: number, { words, language }: MapLocale): string {
  const degrees = (value: number) => `${formatNumber(Math.abs(value), language, 4)}°`;
  const north = `${degrees(lat)} ${lat < 0 ? words.south : words.north}`;
  return `${north} ${degrees(lon)} ${lon < 0 ? words.west : words.east}`;
}
