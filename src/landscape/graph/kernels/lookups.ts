import { type Lookup, lookup, ratingTable } from '../../model/rating.ts';

/** Values by texture class, in the order of the codes: C, SiC, SC, CL, SiCL, SCL, L, SiL, SL, Si, LS, S. */
export const textureLookups = {
  /** MEDALUS, from 1 good to 2 poor. */
  medalus: ofTextures([1.6, 1.6, 1.2, 1.0, 1.2, 1.0, 1.0, 1.2, 1.0, 1.6, 1.0, 2.0]),
  /** K from the OMAFRA table, US units, organic matter below 2 %. SC and Si are not in the table and use SCL and SiL. */
  erodibilityLowOrganic: ofTextures([0.24, 0.27, 0.2, 0.33, 0.35, 0.2, 0.34, 0.41, 0.14, 0.41, 0.05, 0.03]),
  /** K from the same table, organic matter of 2 % and more. */
  erodibilityOrganic: ofTextures([0.21, 0.26, 0.2, 0.28, 0.3, 0.2, 0.26, 0.37, 0.12, 0.37, 0.04, 0.01]),
  irrigation: ofTextures([5, 4, 5, 5, 5, 5, 5, 5, 5, 4, 4, 2]),
  crop: ofTextures([4, 4, 4, 5, 4, 5, 5, 5, 4, 4, 4, 2]),
};

/** Values by land cover, in the order of the rated classes: tree, shrub, grass, crop, bare, wetland, mangrove, moss. */
export const landCoverLookups = {
  /** MEDALUS weights of the nearest vegetation type, from 1 good to 2 poor. */
  fireRisk: ofLandCover([1.3, 1.6, 1.3, 1.3, 1.0, 1.0, 1.0, 1.0]),
  erosionProtection: ofLandCover([1.3, 1.3, 1.3, 2.0, 2.0, 1.0, 1.0, 1.3]),
  droughtResistance: ofLandCover([1.2, 1.0, 1.7, 2.0, 2.0, 1.7, 1.0, 1.7]),
  irrigation: ofLandCover([2, 3, 4, 5, 3, 1, 1, 1]),
  snow: ofLandCover([2, 3, 4, 5, 2, 1, 1, 1]),
  crop: ofLandCover([2, 3, 4, 5, 2, 1, 1, 1]),
  pasture: ofLandCover([2, 4, 5, 3, 2, 3, 1, 2]),
  tourism: ofLandCover([5, 4, 4, 2, 3, 4, 4, 4]),
};

function ofTextures(values: readonly number[]): Lookup {
  return lookup([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], values);
}

function ofLandCover(values: readonly number[]): Lookup {
  return lookup([10, 20, 30, 40, 60, 90, 95, 100], values);
}

/**
 * All rating tables: breaks, and the values below the first break, between breaks, and from the last break on. Units are those of the
 * nodes.
 */
export const ratings = {
  // Qualities: 1 good, 2 poor.
  'medalus-slope': ratingTable([6, 18, 35], [1.0, 1.2, 1.5, 2.0]),
  'medalus-rain': ratingTable(
    [280, 310, 345, 390, 440, 490, 570, 650],
    [2.0, 1.8, 1.65, 1.5, 1.35, 1.25, 1.15, 1.05, 1.0],
  ),
  'medalus-aridity': ratingTable(
    [0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.75, 1.0],
    [2.0, 1.75, 1.55, 1.45, 1.35, 1.25, 1.15, 1.05, 1.0],
  ),
  'medalus-cover': ratingTable([10, 40], [2.0, 1.8, 1.0]),

  // Sensitivity: 1 very low, 5 very high.
  'e-desertification': ratingTable([1.2, 1.3, 1.4, 1.6], [1, 2, 3, 4, 5]),
  'e-soil-loss': ratingTable([6.7, 11.2, 22.4, 33.6], [1, 2, 3, 4, 5]),
  'e-salinity': ratingTable([2, 4, 8, 16], [1, 2, 3, 4, 5]),

  // Suitability: 1 not suitable, 5 highly suitable.
  thermal: ratingTable([1200, 1600, 1800, 2000], [1, 2, 3, 4, 5]),
  'moisture-need': ratingTable([0.5, 0.65, 0.75, 1.0], [5, 4, 3, 2, 1]),
  'irrigation-slope': ratingTable([2, 4, 6, 16], [5, 4, 3, 2, 1]),
  'irrigation-salinity': ratingTable([2, 4, 8, 16], [5, 4, 3, 2, 1]),
  'irrigation-water': ratingTable([1000, 3000, 5000, 10000], [5, 4, 3, 2, 1]),
  'snow-depth': ratingTable([5, 10, 16, 25], [1, 2, 3, 4, 5]),
  'snow-slope': ratingTable([2, 5, 8, 16], [5, 4, 3, 2, 1]),
  'crop-slope': ratingTable([4, 8, 16, 30], [5, 4, 3, 2, 1]),
  'crop-rain': ratingTable([200, 250, 350, 500, 950, 1000, 1200], [1, 2, 3, 4, 5, 4, 3, 2]),
  'crop-salinity': ratingTable([3, 5, 6, 20], [5, 4, 3, 2, 1]),
  'crop-carbon': ratingTable([2, 5, 7.5], [2, 3, 4, 5]),
  'pasture-slope': ratingTable([10, 30, 60], [5, 4, 2, 1]),
  'pasture-water': ratingTable([1600, 3200, 6400], [5, 3, 2, 1]),
  'pasture-cover': ratingTable([10, 20, 40, 60], [1, 2, 3, 4, 5]),
  'tourism-relief': ratingTable([81, 117, 162, 240, 959], [1, 2, 3, 4, 5, 3]),
  'tourism-distance': ratingTable([500, 1000, 5000, 10000], [5, 4, 3, 2, 1]),
};
