import { classNoData, floatNoData } from '../../model/bands.ts';
import { landCoverLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Vegetation {
  readonly landCover: Uint8Array;
  /** Percent. */
  readonly vegetationCover: Float32Array;
}

const { fireRisk, erosionProtection, droughtResistance } = landCoverLookups;
const coverScores = ratings['medalus-cover'];

/**
 * Vegetation quality index, 1 good to 2 poor: the geometric mean of the MEDALUS scores of fire risk, erosion protection,
 * drought resistance and cover. Water, ice and built-up land have none.
 */
export function computeVegetationQuality(
  { landCover, vegetationCover }: Vegetation,
  quality: Float32Array,
): void {
  for (let i = 0; i < quality.length; i++) {
    const land = landCover[i] ?? classNoData;
    const percent = vegetationCover[i] ?? floatNoData;
    const fire = fireRisk[land] ?? 0;
    if (fire === 0 || percent === floatNoData) {
      quality[i] = floatNoData;
      continue;
    }
    const erosion = erosionProtection[land] ?? 0;
    const drought = droughtResistance[land] ?? 0;
    quality[i] = Math.pow(fire * erosion * drought * rate(coverScores, percent), 0.25);
  }
}
