import { classNoData } from '../../model/bands.ts';

/** Suitability by sector, 1 to 5. */
export interface Sectors {
  readonly irrigation: Uint8Array;
  readonly snowRetention: Uint8Array;
  readonly crop: Uint8Array;
  readonly pasture: Uint8Array;
  readonly tourism: Uint8Array;
}

/** The greatest suitability of the five sectors; none where one of them has none. */
export function findMaxSuitability(
  { irrigation, snowRetention, crop, pasture, tourism }: Sectors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const s1 = irrigation[i] ?? classNoData;
    const s2 = snowRetention[i] ?? classNoData;
    const s3 = crop[i] ?? classNoData;
    const s4 = pasture[i] ?? classNoData;
    const s5 = tourism[i] ?? classNoData;
    const hasAll = Math.min(s1, s2, s3, s4, s5) !== classNoData;
    suitability[i] = hasAll ? Math.max(s1, s2, s3, s4, s5) : classNoData;
  }
}
