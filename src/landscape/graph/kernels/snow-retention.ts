import { classNoData, floatNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';
import { landCoverLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Factors {
  readonly allocable: Uint8Array;
  readonly landCover: Uint8Array;
  /** cm */
  readonly snowDepth: Float32Array;
  /** Percent. */
  readonly slope: Float32Array;
  /** P / PET */
  readonly aridity: Float32Array;
}

const landCoverRatings = landCoverLookups.snow;
const depthRating = ratings['snow-depth'];
const slopeRating = ratings['snow-slope'];
const moistureRating = ratings['moisture-need'];

/**
 * Suitability for snow retention on fields, 1 to 5: the least of the ratings of its factors (law of the minimum). Ridging needs
 * 10 cm of snow and aims at 25 to 30; slope by the classes of GAEZ; where rain suffices there is no need.
 */
export function rateSnowRetention(
  { allocable, landCover, snowDepth, slope, aridity }: Factors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const depth = snowDepth[i] ?? floatNoData;
    const steepness = slope[i] ?? floatNoData;
    const index = aridity[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      depth === floatNoData ||
      steepness === floatNoData ||
      index === floatNoData
    ) {
      suitability[i] = classNoData;
      continue;
    }
    suitability[i] = Math.min(
      rate(depthRating, depth),
      rate(slopeRating, steepness),
      rate(moistureRating, index),
      landCoverRatings[landCover[i] ?? classNoData] ?? classNoData,
    );
  }
}
