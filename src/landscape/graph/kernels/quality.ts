import { classNoData, floatNoData } from '../../model/bands.ts';
import { qualityLegend } from '../../model/palettes.ts';
import { byFormula, quantityOf } from '../../model/explanation.ts';
import { numberNode } from '../../model/node.ts';
import { soilTexture, precipitation, landCover } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { textureLookups, ratings, landCoverLookups } from './lookups.ts';
import { slope } from './terrain.ts';
import { aridity, vegetationCover } from './land.ts';

const soilTables = { soilTexture: textureLookups.medalus, slope: ratings['medalus-slope'] };

export const soilQuality = numberNode({
  name: '11-soil-quality',
  title: 'Soil quality index',
  formula: '`√(texture score × slope score)`, from 1 (good) to 2 (poor).',
  source: 'MEDALUS scores (Kosmas et al. 1999); the index uses the available variables.',
  reading:
    '1 is the best and 2 the poorest: near 2 the ground degrades easily, because of its texture or its slope. The index ignores humus, nutrients and salts: do not use it to value farmland or to choose a crop.',
  inputs: { soilTexture, slope },
  tables: soilTables,
  explain: { decide: byFormula },
  legend: qualityLegend,
  compute({ soilTexture, slope }, output) {
    for (let i = 0; i < output.length; i++) {
      const texture = soilTexture[i] ?? classNoData;
      const percent = slope[i] ?? floatNoData;
      if (texture === classNoData || percent === floatNoData) output[i] = floatNoData;
      else output[i] = Math.sqrt((soilTables.soilTexture[texture] ?? 0) * rate(soilTables.slope, percent));
    }
  },
});

const climateTables = { precipitation: ratings['medalus-rain'], aridity: ratings['medalus-aridity'] };

export const climateQuality = numberNode({
  name: '12-climate-quality',
  title: 'Climate quality index',
  formula: '`√(rain score × aridity score)`, from 1 (good) to 2 (poor).',
  source: 'MEDALUS with the scores of Ferrara et al. (2020).',
  reading:
    '1 is the best and 2 the poorest: near 2 rain is scarce and evaporation strong, so that land turns into desert easily. The index is a mean of many years: do not use it for the weather of a single year.',
  inputs: { precipitation, aridity },
  tables: climateTables,
  explain: { decide: byFormula },
  legend: qualityLegend,
  compute({ precipitation, aridity }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const index = aridity[i] ?? floatNoData;
      if (rain === floatNoData || index === floatNoData) output[i] = floatNoData;
      else
        output[i] = Math.sqrt(rate(climateTables.precipitation, rain) * rate(climateTables.aridity, index));
    }
  },
});

const { fireRisk, erosionProtection, droughtResistance } = landCoverLookups;
const coverScores = ratings['medalus-cover'];

export const vegetationQuality = numberNode({
  name: '13-vegetation-quality',
  title: 'Vegetation quality index',
  formula:
    '`⁴√(fire risk × erosion protection × drought resistance × cover score)`, from 1 (good) to 2 (poor). ' +
    'The first three are scores of the land cover; water, ice and built-up land have no scores, and therefore no quality.',
  source:
    'MEDALUS scores (Kosmas et al. 1999) of the vegetation nearest to each class of ESA WorldCover, our own choice.',
  reading:
    '1 is the best and 2 the poorest: near 2 the plant cover is thin, protects the soil little, or suffers easily from drought or fire. ' +
    'The index follows the kind and the density of the cover: do not use it for the fodder of a pasture or for the diversity of species.',
  inputs: { landCover, vegetationCover },
  tables: { fireRisk, erosionProtection, droughtResistance, vegetationCover: coverScores },
  explain: {
    quantities: [
      quantityOf(landCover, fireRisk, 'fire-risk'),
      quantityOf(landCover, erosionProtection, 'erosion-protection'),
      quantityOf(landCover, droughtResistance, 'drought-resistance'),
    ],
    decide: byFormula,
  },
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
