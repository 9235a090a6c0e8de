import { classNoData } from '../../model/bands.ts';
import { classNode } from '../../model/define-node.ts';
import {
  landCover,
  precipitation,
  soilOrganicCarbon,
  soilSalinity,
  soilTexture,
  temperatureSum,
} from '../../model/leaves.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { allocable, allocableLand } from './allocable.ts';
import { leastRatingFormula, rateClass, rateNumber } from './least-rating.ts';
import { landCoverLookups, textureLookups } from './lookups.ts';
import { ratings } from './ratings.ts';
import { slope } from './slope.ts';

const tables = {
  landCover: landCoverLookups.crop,
  precipitation: ratings['crop-rain'],
  temperatureSum: ratings.thermal,
  soilTexture: textureLookups.crop,
  soilOrganicCarbon: ratings['crop-carbon'],
  soilSalinity: ratings['crop-salinity'],
  slope: ratings['crop-slope'],
};

export const crop = classNode({
  name: '23-crop',
  title: 'Suitability: rain-fed crop',
  formula: leastRatingFormula,
  source:
    'Spring wheat after Sys et al. (1993) as in ALUES and soilassessment, the far ends those of barley. ' +
    'Warmth: Baisholanov (2016). Land cover: our own choice.',
  inputs: {
    landCover,
    precipitation,
    temperatureSum,
    soilTexture,
    soilOrganicCarbon,
    soilSalinity,
    slope,
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
        rateNumber(tables.precipitation, inputs.precipitation[i]),
        rateNumber(tables.temperatureSum, inputs.temperatureSum[i]),
        rateClass(tables.soilTexture, inputs.soilTexture[i]),
        rateNumber(tables.soilOrganicCarbon, inputs.soilOrganicCarbon[i]),
        rateNumber(tables.soilSalinity, inputs.soilSalinity[i]),
        rateNumber(tables.slope, inputs.slope[i]),
      );
    }
  },
});
