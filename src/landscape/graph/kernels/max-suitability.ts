import { classNoData } from '../../model/bands.ts';
import { suitabilityLegend } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import { crop } from './crop.ts';
import { irrigation } from './irrigation.ts';
import { pasture } from './pasture.ts';
import { snowRetention } from './snow-retention.ts';
import { tourism } from './tourism.ts';

/** The sectors in the order of their numbers, 1 to 5. */
export const sectors = { irrigation, snowRetention, crop, pasture, tourism };

export const maxSuitability = classNode({
  name: '31-max-suitability',
  title: 'Maximum suitability S',
  formula: 'The greatest suitability of the five sectors; none where one of them has none.',
  source: 'Our own choice.',
  inputs: sectors,
  legend: suitabilityLegend,
  compute({ irrigation, snowRetention, crop, pasture, tourism }, output) {
    for (let i = 0; i < output.length; i++) {
      const s1 = irrigation[i] ?? classNoData;
      const s2 = snowRetention[i] ?? classNoData;
      const s3 = crop[i] ?? classNoData;
      const s4 = pasture[i] ?? classNoData;
      const s5 = tourism[i] ?? classNoData;
      const hasAll = Math.min(s1, s2, s3, s4, s5) !== classNoData;
      output[i] = hasAll ? Math.max(s1, s2, s3, s4, s5) : classNoData;
    }
  },
});
