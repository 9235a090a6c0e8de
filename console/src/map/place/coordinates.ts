import { formatNumber } from '../../../../common/formats/numbers.ts';
import type { MapLocale } from '../words/words.ts';
import type { LonLat } from './address.ts';

/** Writes a place with four decimals, about ten metres. */
export function formatPlace(lat: number, lon: number, { words, language }: MapLocale): string {
  const degrees = (value: number) => `${formatNumber(Math.abs(value), language, 4)}°`;
  const north = `${degrees(lat)} ${lat < 0 ? words.south : words.north}`;
  return `${north} ${degrees(lon)} ${lon < 0 ? words.west : words.east}`;
}

/** Reads degrees with a decimal comma or point; undefined if they are invalid. */
export function readPlace(latitude: string, longitude: string): LonLat | undefined {
  const [lat, lon] = [degreesIn(latitude), degreesIn(longitude)];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

function degreesIn(text: string): number {
  const plain = text.trim().replace(/°$/, '').replace('−', '-').replace(',', '.');
  return /^[+-]?\d{1,3}(?:\.\d*)?$/.test(plain) ? Number(plain) : Number.NaN;
}
