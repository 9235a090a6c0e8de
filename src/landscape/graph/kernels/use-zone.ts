import { classNoData } from '../../model/bands.ts';

/** Least suitability, 1 to 5, that V1 and V2 ask for by sensitivity. */
interface ZoneThresholds {
  readonly v1_min_s_e12: number;
  readonly v1_min_s_e3: number;
  readonly v2_min_s_e3: number;
  readonly v2_min_s_e4: number;
}

interface Assessment {
  /** S, 1 to 5. */
  readonly maxSuitability: Uint8Array;
  /** E, 1 to 5. */
  readonly sensitivity: Uint8Array;
}

/**
 * Zone of permitted use: 1 intensive development (V1), 2 extensive development (V2), 3 the remainder (V3). The more sensitive
 * land is, the more suitable it has to be.
 */
export function decideZone(
  { maxSuitability, sensitivity }: Assessment,
  thresholds: ZoneThresholds,
  useZone: Uint8Array,
): void {
  for (let i = 0; i < useZone.length; i++) {
    const s = maxSuitability[i] ?? classNoData;
    const e = sensitivity[i] ?? classNoData;
    useZone[i] = s === classNoData || e === classNoData ? classNoData : zoneOf(s, e, thresholds);
  }
}

/** V1 is tested first: where both thresholds are met at E = 3, it is V1, whatever their order. */
function zoneOf(s: number, e: number, thresholds: ZoneThresholds): 1 | 2 | 3 {
  if (e <= 2) return s >= thresholds.v1_min_s_e12 ? 1 : 3;
  if (e === 3 && s >= thresholds.v1_min_s_e3) return 1;
  if (e === 3 && s >= thresholds.v2_min_s_e3) return 2;
  if (e === 4 && s >= thresholds.v2_min_s_e4) return 2;
  return 3;
}
