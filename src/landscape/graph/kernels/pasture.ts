import { classNoData } from '../../model/bands.ts';
import { classNode } from '../../model/define-node.ts';
import { distanceToWater, landCover } from '../../model/leaves.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { allocable, allocableLand } from './allocable.ts';
import { leastRatingFormula, rateClass, rateNumber } from './least-rating.ts';
import { landCoverLookups } from './lookups.ts';
import { ratings } from './ratings.ts';
import { slope } from './slope.ts';
import { vegetationCover } from './vegetation-cover.ts';

const tables = {
  landCover: landCoverLookups.pasture,
  distanceToWater: ratings['pasture-water'],
  slope: ratings['pasture-slope'],
  vegetationCover: ratings['pasture-cover'],
};

export const pasture = classNode({
  name: '24-pasture',
  title: 'Suitability: pasture',
  formula: leastRatingFormula,
  source:
    'Slope and distance to water: the grazing capacity that they leave (Holechek 1988). ' +
    'Cover: classes of MEDALUS. Land cover and the far ends: our own choice.',
  inputs: { landCover, distanceToWater, slope, vegetationCover, allocable },
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
        rateNumber(tables.distanceToWater, inputs.distanceToWater[i]),
        rateNumber(tables.slope, inputs.slope[i]),
        rateNumber(tables.vegetationCover, inputs.vegetationCover[i]),
      );
    }
  },
});
