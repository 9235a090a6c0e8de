import { classNoData } from '../../model/bands.ts';
import type { Sectors } from './max-suitability.ts';

/**
 * The number of the sector, 1 to 5, of greatest suitability; of several the one that comes first in `priority`, a permutation
 * of 1 to 5. None where a sector has no suitability.
 */
export function findLeadingSector(
  { irrigation, snowRetention, crop, pasture, tourism }: Sectors,
  priority: readonly number[],
  leading: Uint8Array,
): void {
  const sectors = [irrigation, snowRetention, crop, pasture, tourism];
  for (let i = 0; i < leading.length; i++) {
    let greatest = 0;
    let leader = classNoData;
    for (let rank = 0; rank < priority.length; rank++) {
      const sector = priority[rank] ?? 0;
      const suitability = sectors[sector - 1]?.[i] ?? classNoData;
      if (suitability === classNoData) {
        leader = classNoData;
        break;
      }
      if (suitability > greatest) {
        greatest = suitability;
        leader = sector;
      }
    }
    leading[i] = leader;
  }
}
