import { landCover, snowDepth } from '../../model/leaves.ts';
import { aridity } from './aridity.ts';
import { leastRatingNode } from './least-rating.ts';
import { landCoverLookups, ratings } from './lookups.ts';
import { slope } from './slope.ts';

export const snowRetention = leastRatingNode({
  name: '22-snow',
  title: 'Suitability: snow retention',
  source:
    'Snow: ridging needs 10 cm and aims at 25 to 30 cm. Slope: classes of GAEZ. Aridity: UNEP and Ferrara et al. (2020), ' +
    'because where rain suffices there is no need. Land cover: our own choice.',
  factors: {
    landCover: [landCover, landCoverLookups.snow],
    snowDepth: [snowDepth, ratings['snow-depth']],
    slope: [slope, ratings['snow-slope']],
    aridity: [aridity, ratings['moisture-need']],
  },
});
