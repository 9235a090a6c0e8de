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
import { allocable } from './allocable.ts';
import { leastRatingFormula, rateByLeast } from './least-rating.ts';
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
  compute: (inputs, output) => rateByLeast(inputs, tables, output),
});
