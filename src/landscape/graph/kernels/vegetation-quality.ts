import { classNoData, floatNoData } from '../../model/bands.ts';
import { qualityLegend } from '../../model/palettes.ts';
import { numberNode } from '../../model/node.ts';
import { landCover } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { landCoverLookups, ratings } from './lookups.ts';
import { vegetationCover } from './vegetation-cover.ts';

const { fireRisk, erosionProtection, droughtResistance } = landCoverLookups;
const coverScores = ratings['medalus-cover'];

export const vegetationQuality = numberNode({
  name: '13-vegetation-quality',
  title: 'Vegetation quality index',
  formula:
    '`⁴√(fire risk × erosion protection × drought resistance × cover score)`, from 1 (good) to 2 (poor). ' +
    'The first three are scores of the land cover; water, ice and built-up land have none, and so no quality.',
  source:
    'MEDALUS scores (Kosmas et al. 1999) of the vegetation nearest to each class of ESA WorldCover, our own choice.',
  inputs: { landCover, vegetationCover },
  tables: { fireRisk, erosionProtection, droughtResistance, vegetationCover: coverScores },
  legend: qualityLegend,
  compute({ landCover, vegetationCover }, output) {
    for (let i = 0; i < output.length; i++) {
      const land = landCover[i] ?? classNoData;
      const percent = vegetationCover[i] ?? floatNoData;
      const fire = fireRisk[land] ?? 0;
      if (fire === 0 || percent === floatNoData) {
        output[i] = floatNoData;
        continue;
      }
      const erosion = erosionProtection[land] ?? 0;
      const drought = droughtResistance[land] ?? 0;
      output[i] = Math.pow(fire * erosion * drought * rate(coverScores, percent), 0.25);
    }
  },
});
