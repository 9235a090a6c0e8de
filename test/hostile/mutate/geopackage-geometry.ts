import type { NumberPlace } from './mutation.ts';

/** Bytes of the envelope by its kind, three bits of the flags. */
const envelopeBytes = [0, 32, 48, 48, 64, 0, 0, 0] as const;

/** The numbers of a GeoPackage geometry that begins at `at`: flags, reference system, envelope and the head of its WKB. */
export function geometryPlaces(bytes: Buffer, at: number): readonly NumberPlace[] {
  const flags = bytes[at + 3] ?? 0;
  const envelope = envelopeBytes[(flags >> 1) % 8] ?? 0;
  const wkb = at + 8 + envelope;
  return [
    { at: at + 2, size: 1 },
    { at: at + 3, size: 1 },
    { at: at + 4, size: 4 },
    ...(envelope > 0 ? [{ at: at + 8, size: 8 } as const] : []),
    { at: wkb, size: 1 },
    { at: wkb + 1, size: 4 },
    { at: wkb + 5, size: 4 },
    { at: wkb + 9, size: 4 },
    { at: wkb + 5, size: 8 },
    { at: wkb + 13, size: 8 },
    { at: wkb + 21, size: 8 },
  ];
}
