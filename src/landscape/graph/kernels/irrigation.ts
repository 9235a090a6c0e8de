import { classNoData, floatNoData } from '../../model/bands.ts';
import { allocableLand } from './allocable.ts';
import { landCoverLookups, textureLookups } from './lookups.ts';
import { rate } from './rating.ts';
import { ratings } from './ratings.ts';

interface Factors {
  readonly allocable: Uint8Array;
  readonly landCover: Uint8Array;
  readonly soilTexture: Uint8Array;
  /** Percent. */
  readonly slope: Float32Array;
  /** ECe, dS/m. */
  readonly soilSalinity: Float32Array;
  /** m */
  readonly distanceToWater: Float32Array;
  /** °C d/yr */
  readonly temperatureSum: Float32Array;
  /** P / PET */
  readonly aridity: Float32Array;
}

const landCoverRatings = landCoverLookups.irrigation;
const textureRatings = textureLookups.irrigation;
const slopeRating = ratings['irrigation-slope'];
const salinityRating = ratings['irrigation-salinity'];
const waterRating = ratings['irrigation-water'];
const thermalRating = ratings.thermal;
const moistureRating = ratings['moisture-need'];

/**
 * Suitability for irrigated farming, 1 to 5: the least of the ratings of its factors (law of the minimum). Slope and texture
 * after ALUES (basin-furrow irrigation, alfalfa), salinity by the classes of USDA; where rain suffices there is no need.
 */
export function rateIrrigation(
  {
    allocable,
    landCover,
    soilTexture,
    slope,
    soilSalinity,
    distanceToWater,
    temperatureSum,
    aridity,
  }: Factors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const steepness = slope[i] ?? floatNoData;
    const salt = soilSalinity[i] ?? floatNoData;
    const distance = distanceToWater[i] ?? floatNoData;
    const warmth = temperatureSum[i] ?? floatNoData;
    const index = aridity[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      steepness === floatNoData ||
      salt === floatNoData ||
      distance === floatNoData ||
      warmth === floatNoData ||
      index === floatNoData
    ) {
      suitability[i] = classNoData;
      continue;
    }
    suitability[i] = Math.min(
      rate(slopeRating, steepness),
      rate(salinityRating, salt),
      rate(waterRating, distance),
      rate(thermalRating, warmth),
      rate(moistureRating, index),
      textureRatings[soilTexture[i] ?? classNoData] ?? classNoData,
      landCoverRatings[landCover[i] ?? classNoData] ?? classNoData,
    );
  }
}
