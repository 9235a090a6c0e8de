import { zoneOfCell, type ZoningCase } from '../../../../../common/landscape/zoning.ts';

/** The minimum suitability for a zone, by sensitivity. */
export type Thresholds = Omit<ZoningCase, 'tie_priority'>;

export const classes = [1, 2, 3, 4, 5] as const;

/** The zone of a pixel with suitability `s` and sensitivity `e`, 1 to 5 each; it does not depend on the order of sectors. */
export function zoneOf(s: number, e: number, thresholds: Thresholds): 1 | 2 | 3 {
  return zoneOfCell({ s, e, mask: 1 }, { ...thresholds, tie_priority: [] });
}
