import { classNoData, floatNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';
import { landCoverLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Factors {
  readonly allocable: Uint8Array;
  readonly landCover: Uint8Array;
  /** m */
  readonly ruggedness: Float32Array;
  /** m */
  readonly distanceToWater: Float32Array;
  /** m */
  readonly distanceToRoad: Float32Array;
}

const landCoverRatings = landCoverLookups.tourism;
const reliefRating = ratings['tourism-relief'];
const distanceRating = ratings['tourism-distance'];

/**
 * Suitability for tourism, 1 to 5: the least of attraction, access and land cover. Relief and water attract, and one stands in
 * for the other. Relief by the classes of Riley et al. (1999), distances by those of r.estimap.recreation.
 */
export function rateTourism(
  { allocable, landCover, ruggedness, distanceToWater, distanceToRoad }: Factors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const relief = ruggedness[i] ?? floatNoData;
    const toWater = distanceToWater[i] ?? floatNoData;
    const toRoad = distanceToRoad[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      relief === floatNoData ||
      toWater === floatNoData ||
      toRoad === floatNoData
    ) {
      suitability[i] = classNoData;
      continue;
    }
    const attraction = Math.max(rate(reliefRating, relief), rate(distanceRating, toWater));
    suitability[i] = Math.min(
      attraction,
      rate(distanceRating, toRoad),
      landCoverRatings[landCover[i] ?? classNoData] ?? classNoData,
    );
  }
}
