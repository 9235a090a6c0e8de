import { classNoData, floatNoData } from '../../model/bands.ts';
import { qualityLegend } from '../../model/palettes.ts';
import { numberNode } from '../../model/node.ts';
import { soilTexture } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { textureLookups, ratings } from './lookups.ts';
import { slope } from './slope.ts';

const tables = { soilTexture: textureLookups.medalus, slope: ratings['medalus-slope'] };

export const soilQuality = numberNode({
  name: '11-soil-quality',
  title: 'Soil quality index',
  formula: '`√(texture score × slope score)`, from 1 (good) to 2 (poor).',
  source: 'MEDALUS scores (Kosmas et al. 1999); the index takes the variables that there are.',
  inputs: { soilTexture, slope },
  tables,
  legend: qualityLegend,
  compute({ soilTexture, slope }, output) {
    for (let i = 0; i < output.length; i++) {
      const texture = soilTexture[i] ?? classNoData;
      const percent = slope[i] ?? floatNoData;
      if (texture === classNoData || percent === floatNoData) output[i] = floatNoData;
      else output[i] = Math.sqrt((tables.soilTexture[texture] ?? 0) * rate(tables.slope, percent));
    }
  },
});
