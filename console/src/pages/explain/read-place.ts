import type { LonLat } from '../../map/place/address.ts';

/** Reads degrees as people write them, with a comma or a point; undefined for all else. */
export function readPlace(latitude: string, longitude: string): LonLat | undefined {
  const [lat, lon] = [degreesIn(latitude), degreesIn(longitude)];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined;
}

function degreesIn(text: string): number {
  const plain = text.trim().replace(/°$/, '').replace('−', '-').replace(',', '.');
  return /^[+-]?\d{1,3}(?:\.\d*)?$/.test(plain) ? Number(plain) : Number.NaN;
}
