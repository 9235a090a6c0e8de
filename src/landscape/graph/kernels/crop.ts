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
  /** mm/yr */
  readonly precipitation: Float32Array;
  /** ECe, dS/m. */
  readonly soilSalinity: Float32Array;
  /** g/kg */
  readonly soilOrganicCarbon: Float32Array;
  /** °C d/yr */
  readonly temperatureSum: Float32Array;
}

const landCoverRatings = landCoverLookups.crop;
const textureRatings = textureLookups.crop;
const slopeRating = ratings['crop-slope'];
const rainRating = ratings['crop-rain'];
const salinityRating = ratings['crop-salinity'];
const carbonRating = ratings['crop-carbon'];
const thermalRating = ratings.thermal;

/**
 * Suitability for rain-fed crop, 1 to 5: the least of the ratings of its factors (law of the minimum), those of spring wheat
 * after Sys et al. (1993) as in ALUES and soilassessment, their far ends those of barley.
 */
export function rateCrop(
  {
    allocable,
    landCover,
    soilTexture,
    slope,
    precipitation,
    soilSalinity,
    soilOrganicCarbon,
    temperatureSum,
  }: Factors,
  suitability: Uint8Array,
): void {
  for (let i = 0; i < suitability.length; i++) {
    const steepness = slope[i] ?? floatNoData;
    const rain = precipitation[i] ?? floatNoData;
    const salt = soilSalinity[i] ?? floatNoData;
    const carbon = soilOrganicCarbon[i] ?? floatNoData;
    const warmth = temperatureSum[i] ?? floatNoData;
    if (
      allocable[i] !== allocableLand ||
      steepness === floatNoData ||
      rain === floatNoData ||
      salt === floatNoData ||
      carbon === floatNoData ||
      warmth === floatNoData
    ) {
      suitability[i] = classNoData;
      continue;
    }
    suitability[i] = Math.min(
      rate(slopeRating, steepness),
      rate(rainRating, rain),
      rate(salinityRating, salt),
      rate(carbonRating, carbon),
      rate(thermalRating, warmth),
      textureRatings[soilTexture[i] ?? classNoData] ?? classNoData,
      landCoverRatings[landCover[i] ?? classNoData] ?? classNoData,
    );
  }
}
