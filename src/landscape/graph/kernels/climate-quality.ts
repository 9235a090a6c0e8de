import { floatNoData } from '../../model/bands.ts';
import { qualityLegend } from '../../model/palettes.ts';
import { numberNode } from '../../model/node.ts';
import { precipitation } from '../../model/leaves.ts';
import { rate } from '../../model/rating.ts';
import { aridity } from './aridity.ts';
import { ratings } from './lookups.ts';

const tables = { precipitation: ratings['medalus-rain'], aridity: ratings['medalus-aridity'] };

export const climateQuality = numberNode({
  name: '12-climate-quality',
  title: 'Climate quality index',
  formula: '`√(rain score × aridity score)`, from 1 (good) to 2 (poor).',
  source: 'MEDALUS with the scores of Ferrara et al. (2020).',
  inputs: { precipitation, aridity },
  tables,
  legend: qualityLegend,
  compute({ precipitation, aridity }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const index = aridity[i] ?? floatNoData;
      if (rain === floatNoData || index === floatNoData) output[i] = floatNoData;
      else output[i] = Math.sqrt(rate(tables.precipitation, rain) * rate(tables.aridity, index));
    }
  },
});
