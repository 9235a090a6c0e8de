import { classNoData, floatNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';
import { landCoverLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Factors {
  readonly allocable: Uint8Array;
  readonly landCover: Uint8Array;
  /** Percent. */
  readonly slope: Float32Array;
  /** m */
  readonly distanceToWater: Float32Array;
  /** Percent. */
  readonly vegetationCover: Float32Array;
}

const landCoverRatings = landCoverLookups.pasture;
const slopeRating = ratings['pasture-slope'];
const waterRating = ratings['pasture-water'];
const coverRating = ratings['pasture-cover'];

/**
 * Suitability for pasture, 1 to 5: the least of the ratings of its factors (law of the minimum). Slope and distance to water by
 * the grazing capacity that they leave (Holechek 1988).
 */
export function ratePasture(
  { allocable, landCover, slope, distanceToWater, vegetationCover }: Factors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const steepness = slope[i] ?? floatNoData;
    const distance = distanceToWater[i] ?? floatNoData;
    const percent = vegetationCover[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      steepness === floatNoData ||
      distance === floatNoData ||
      percent === floatNoData
    ) {
      suitability[i] = classNoData;
      continue;
    }
    suitability[i] = Math.min(
      rate(slopeRating, steepness),
      rate(waterRating, distance),
      rate(coverRating, percent),
      landCoverRatings[landCover[i] ?? classNoData] ?? classNoData,
    );
  }
}
