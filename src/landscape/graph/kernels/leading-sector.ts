import { classNoData } from '../../model/bands.ts';
import { values } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import { sectors } from './max-suitability.ts';

export const leadingSector = classNode({
  name: '32-leading-sector',
  title: 'Leading sector',
  formula:
    'The number of the sector with the greatest suitability; of several the one that comes first in `tie_priority`. ' +
    'None where a sector has no suitability.',
  source: 'Our own choice; equal preference is a conflict in LUCIS, too.',
  inputs: sectors,
  params: ['tie_priority'],
  legend: values([
    [1, '#1f78b4', 'Irrigation'],
    [2, '#6a51a3', 'Snow retention'],
    [3, '#e6ab02', 'Crop'],
    [4, '#66a61e', 'Pasture'],
    [5, '#d94801', 'Tourism'],
  ]),
  compute({ irrigation, snowRetention, crop, pasture, tourism }, output, { params }) {
    const inOrder = [irrigation, snowRetention, crop, pasture, tourism];
    const priority = params.tie_priority;
    for (let i = 0; i < output.length; i++) {
      let greatest = 0;
      let leader = classNoData;
      for (let rank = 0; rank < priority.length; rank++) {
        const sector = priority[rank] ?? 0;
        const suitability = inOrder[sector - 1]?.[i] ?? classNoData;
        if (suitability === classNoData) {
          leader = classNoData;
          break;
        }
        if (suitability > greatest) {
          greatest = suitability;
          leader = sector;
        }
      }
      output[i] = leader;
    }
  },
});
