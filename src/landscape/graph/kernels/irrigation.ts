import { classNoData } from '../../model/bands.ts';
import { classNode } from '../../model/define-node.ts';
import { distanceToWater, landCover, soilSalinity, soilTexture, temperatureSum } from '../../model/leaves.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { allocable, allocableLand } from './allocable.ts';
import { aridity } from './aridity.ts';
import { leastRatingFormula, rateClass, rateNumber } from './least-rating.ts';
import { landCoverLookups, textureLookups } from './lookups.ts';
import { ratings } from './ratings.ts';
import { slope } from './slope.ts';

const tables = {
  landCover: landCoverLookups.irrigation,
  temperatureSum: ratings.thermal,
  soilTexture: textureLookups.irrigation,
  soilSalinity: ratings['irrigation-salinity'],
  distanceToWater: ratings['irrigation-water'],
  slope: ratings['irrigation-slope'],
  aridity: ratings['moisture-need'],
};

export const irrigation = classNode({
  name: '21-irrigation',
  title: 'Suitability: irrigation',
  formula: leastRatingFormula,
  source:
    'Slope: ALUES (basin-furrow irrigation). Texture: alfalfa of soilassessment. Salinity: classes of USDA. Warmth: Baisholanov (2016). ' +
    'Aridity: UNEP and Ferrara et al. (2020), because where rain suffices there is no need. Land cover and distance to water: our own choice.',
  inputs: {
    landCover,
    temperatureSum,
    soilTexture,
    soilSalinity,
    distanceToWater,
    slope,
    aridity,
    allocable,
  },
  tables,
  legend: suitabilityLegend,
  compute(inputs, output) {
    for (let i = 0; i < output.length; i++) {
      if (inputs.allocable[i] !== allocableLand) {
        output[i] = classNoData;
        continue;
      }
      output[i] = Math.min(
        rateClass(tables.landCover, inputs.landCover[i]),
        rateNumber(tables.temperatureSum, inputs.temperatureSum[i]),
        rateClass(tables.soilTexture, inputs.soilTexture[i]),
        rateNumber(tables.soilSalinity, inputs.soilSalinity[i]),
        rateNumber(tables.distanceToWater, inputs.distanceToWater[i]),
        rateNumber(tables.slope, inputs.slope[i]),
        rateNumber(tables.aridity, inputs.aridity[i]),
      );
    }
  },
});
