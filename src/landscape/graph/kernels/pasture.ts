import { distanceToWater, landCover } from '../../model/leaves.ts';
import { leastRatingNode } from './least-rating.ts';
import { landCoverLookups, ratings } from './lookups.ts';
import { slope } from './slope.ts';
import { vegetationCover } from './vegetation-cover.ts';

export const pasture = leastRatingNode({
  name: '24-pasture',
  title: 'Suitability: pasture',
  source:
    'Slope and distance to water: the grazing capacity that they leave (Holechek 1988). ' +
    'Cover: classes of MEDALUS. Land cover and the far ends: our own choice.',
  factors: {
    landCover: [landCover, landCoverLookups.pasture],
    distanceToWater: [distanceToWater, ratings['pasture-water']],
    slope: [slope, ratings['pasture-slope']],
    vegetationCover: [vegetationCover, ratings['pasture-cover']],
  },
});
