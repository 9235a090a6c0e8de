import {
  landCover,
  precipitation,
  soilOrganicCarbon,
  soilSalinity,
  soilTexture,
  temperatureSum,
} from '../../model/leaves.ts';
import { leastRatingNode } from './least-rating.ts';
import { landCoverLookups, textureLookups, ratings } from './lookups.ts';
import { slope } from './slope.ts';

export const crop = leastRatingNode({
  name: '23-crop',
  title: 'Suitability: rain-fed crop',
  source:
    'Spring wheat after Sys et al. (1993) as in ALUES and soilassessment, the far ends those of barley. ' +
    'Warmth: Baisholanov (2016). Land cover: our own choice.',
  factors: {
    landCover: [landCover, landCoverLookups.crop],
    precipitation: [precipitation, ratings['crop-rain']],
    temperatureSum: [temperatureSum, ratings.thermal],
    soilTexture: [soilTexture, textureLookups.crop],
    soilOrganicCarbon: [soilOrganicCarbon, ratings['crop-carbon']],
    soilSalinity: [soilSalinity, ratings['crop-salinity']],
    slope: [slope, ratings['crop-slope']],
  },
});
