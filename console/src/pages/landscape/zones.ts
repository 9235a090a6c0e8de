import type { LandscapePlan } from '../../service/landscape-types.ts';

/** The least suitability that a zone asks for, by sensitivity. */
export type Thresholds = Pick<
  LandscapePlan['params'],
  'v1_min_s_e12' | 'v1_min_s_e3' | 'v2_min_s_e3' | 'v2_min_s_e4'
>;

export const classes = [1, 2, 3, 4, 5] as const;

/**
 * The zone of a pixel with suitability `s` and sensitivity `e`, 1 to 5 each, as the service computes it: V1 comes first where
 * both thresholds are met.
 */
export function zoneOf(s: number, e: number, thresholds: Thresholds): 1 | 2 | 3 {
  const v1 = e === 3 ? thresholds.v1_min_s_e3 : thresholds.v1_min_s_e12;
  if (e <= 3 && s >= v1) return 1;
  const v2 = e === 3 ? thresholds.v2_min_s_e3 : thresholds.v2_min_s_e4;
  return (e === 3 || e === 4) && s >= v2 ? 2 : 3;
}
