import { classNoData } from '../../model/bands.ts';
import { classNode } from '../../model/define-node.ts';
import { landCover, snowDepth } from '../../model/leaves.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { allocable, allocableLand } from './allocable.ts';
import { aridity } from './aridity.ts';
import { leastRatingFormula, rateClass, rateNumber } from './least-rating.ts';
import { landCoverLookups } from './lookups.ts';
import { ratings } from './ratings.ts';
import { slope } from './slope.ts';

const tables = {
  landCover: landCoverLookups.snow,
  snowDepth: ratings['snow-depth'],
  slope: ratings['snow-slope'],
  aridity: ratings['moisture-need'],
};

export const snowRetention = classNode({
  name: '22-snow',
  title: 'Suitability: snow retention',
  formula: leastRatingFormula,
  source:
    'Snow: ridging needs 10 cm and aims at 25 to 30 cm. Slope: classes of GAEZ. Aridity: UNEP and Ferrara et al. (2020), ' +
    'because where rain suffices there is no need. Land cover: our own choice.',
  inputs: { landCover, snowDepth, slope, aridity, allocable },
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
        rateNumber(tables.snowDepth, inputs.snowDepth[i]),
        rateNumber(tables.slope, inputs.slope[i]),
        rateNumber(tables.aridity, inputs.aridity[i]),
      );
    }
  },
});
