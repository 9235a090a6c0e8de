import { classNoData, floatNoData } from '../../model/bands.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import { distanceToRoad, distanceToWater, landCover } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { allocable, allocableLand } from './allocable.ts';
import { landCoverLookups, ratings } from './lookups.ts';
import { ruggedness } from './ruggedness.ts';

const tables = {
  landCover: landCoverLookups.tourism,
  distanceToWater: ratings['tourism-distance'],
  distanceToRoad: ratings['tourism-distance'],
  ruggedness: ratings['tourism-relief'],
};

export const tourism = classNode({
  name: '25-tourism',
  title: 'Suitability: tourism',
  formula:
    'The least of the ratings of attraction, access and land cover, from 1 to 5, on allocable land. ' +
    'Relief and water attract, and one stands in for the other: attraction is the greater of their ratings.',
  source:
    'Relief: classes of Riley et al. (1999). Distances: r.estimap.recreation of GRASS. Land cover: our own choice.',
  inputs: { landCover, distanceToWater, distanceToRoad, ruggedness, allocable },
  tables,
  legend: suitabilityLegend,
  compute({ landCover, distanceToWater, distanceToRoad, ruggedness, allocable }, output) {
    for (let i = 0; i < output.length; i++) {
      const relief = ruggedness[i] ?? floatNoData;
      const toWater = distanceToWater[i] ?? floatNoData;
      const toRoad = distanceToRoad[i] ?? floatNoData;
      if (
        allocable[i] !== allocableLand ||
        relief === floatNoData ||
        toWater === floatNoData ||
        toRoad === floatNoData
      ) {
        output[i] = classNoData;
        continue;
      }
      const attraction = Math.max(rate(tables.ruggedness, relief), rate(tables.distanceToWater, toWater));
      output[i] = Math.min(
        attraction,
        rate(tables.distanceToRoad, toRoad),
        tables.landCover[landCover[i] ?? classNoData] ?? classNoData,
      );
    }
  },
});
