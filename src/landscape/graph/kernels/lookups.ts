import { type Lookup, lookup } from '../../model/rating.ts';

/** By texture class; in the order of their codes: C, SiC, SC, CL, SiCL, SCL, L, SiL, SL, Si, LS, S. */
export const textureLookups = {
  /** MEDALUS, 1 good to 2 poor. */
  medalus: ofTextures([1.6, 1.6, 1.2, 1.0, 1.2, 1.0, 1.0, 1.2, 1.0, 1.6, 1.0, 2.0]),
  /** K of the table of OMAFRA, US units, organic matter below 2 %. It has no SC and no Si: they take SCL and SiL. */
  erodibilityLowOrganic: ofTextures([0.24, 0.27, 0.2, 0.33, 0.35, 0.2, 0.34, 0.41, 0.14, 0.41, 0.05, 0.03]),
  /** The same from 2 % up. */
  erodibilityOrganic: ofTextures([0.21, 0.26, 0.2, 0.28, 0.3, 0.2, 0.26, 0.37, 0.12, 0.37, 0.04, 0.01]),
  irrigation: ofTextures([5, 4, 5, 5, 5, 5, 5, 5, 5, 4, 4, 2]),
  crop: ofTextures([4, 4, 4, 5, 4, 5, 5, 5, 4, 4, 4, 2]),
};

/** By land cover; in the order of its rated classes: tree, shrub, grass, crop, bare, wetland, mangrove, moss. */
export const landCoverLookups = {
  /** MEDALUS weights of the nearest type of vegetation, 1 good to 2 poor. */
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
