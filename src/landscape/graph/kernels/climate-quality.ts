import { floatNoData } from '../../model/bands.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Climate {
  /** mm/yr */
  readonly precipitation: Float32Array;
  /** P / PET */
  readonly aridity: Float32Array;
}

const rainScores = ratings['medalus-rain'];
const aridityScores = ratings['medalus-aridity'];

/**
 * Climate quality index, 1 good to 2 poor: the geometric mean of the scores of rain and aridity, those of Ferrara et al.
 * (2020) for MEDALUS.
 */
export function computeClimateQuality({ precipitation, aridity }: Climate, quality: Float32Array): void {
  for (let i = 0; i < quality.length; i++) {
    const rain = precipitation[i] ?? floatNoData;
    const index = aridity[i] ?? floatNoData;
    if (rain === floatNoData || index === floatNoData) {
      quality[i] = floatNoData;
      continue;
    }
    quality[i] = Math.sqrt(rate(rainScores, rain) * rate(aridityScores, index));
  }
}
