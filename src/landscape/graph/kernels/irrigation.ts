import { distanceToWater, landCover, soilSalinity, soilTexture, temperatureSum } from '../../model/leaves.ts';
import { aridity } from './aridity.ts';
import { leastRatingNode } from './least-rating.ts';
import { landCoverLookups, textureLookups, ratings } from './lookups.ts';
import { slope } from './slope.ts';

export const irrigation = leastRatingNode({
  name: '21-irrigation',
  title: 'Suitability: irrigation',
  source:
    'Slope: ALUES (basin-furrow irrigation). Texture: alfalfa of soilassessment. Salinity: classes of USDA. Warmth: Baisholanov (2016). ' +
    'Aridity: UNEP and Ferrara et al. (2020), because where rain suffices there is no need. Land cover and distance to water: our own choice.',
  factors: {
    landCover: [landCover, landCoverLookups.irrigation],
    temperatureSum: [temperatureSum, ratings.thermal],
    soilTexture: [soilTexture, textureLookups.irrigation],
    soilSalinity: [soilSalinity, ratings['irrigation-salinity']],
    distanceToWater: [distanceToWater, ratings['irrigation-water']],
    slope: [slope, ratings['irrigation-slope']],
    aridity: [aridity, ratings['moisture-need']],
  },
});
