import { classNoData } from '../../model/bands.ts';
import { values } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import { allocable, allocableLand } from './allocable.ts';
import { leadingSector } from './leading-sector.ts';
import { sensitivity } from './sensitivity.ts';
import { useZone } from './use-zone.ts';

const conservation = 31;
const reserve = 32;
const notAllocable = 40;

export const functionalZoning = classNode({
  name: '34-functional-zoning',
  title: 'Functional zoning',
  formula:
    '10 + leading sector in V1, 20 + leading sector in V2; in V3 31 where E is 4 or 5, else 32; 40 where land cannot be allotted.',
  source: 'Our own choice of codes.',
  inputs: { allocable, sensitivity, leadingSector, useZone },
  legend: values([
    [11, '#1f78b4', 'V1 irrigation'],
    [12, '#6a51a3', 'V1 snow retention'],
    [13, '#e6ab02', 'V1 crop'],
    [14, '#66a61e', 'V1 pasture'],
    [15, '#d94801', 'V1 tourism'],
    [21, '#a6cee3', 'V2 irrigation'],
    [22, '#bcbddc', 'V2 snow retention'],
    [23, '#ffeda0', 'V2 crop'],
    [24, '#c7e9b4', 'V2 pasture'],
    [25, '#fdbe85', 'V2 tourism'],
    [conservation, '#00441b', 'V3 conservation'],
    [reserve, '#bdbdbd', 'V3 reserve, improvement'],
    [notAllocable, '#636363', 'Water, built-up, ice'],
  ]),
  compute({ allocable, sensitivity, leadingSector, useZone }, output) {
    for (let i = 0; i < output.length; i++) {
      const land = allocable[i] ?? classNoData;
      const e = sensitivity[i] ?? classNoData;
      const sector = leadingSector[i] ?? classNoData;
      const v = useZone[i] ?? classNoData;
      if (land > allocableLand) output[i] = notAllocable;
      else if (land === classNoData || e === classNoData || sector === classNoData || v === classNoData) {
        output[i] = classNoData;
      } else if (v === 3) output[i] = e >= 4 ? conservation : reserve;
      else output[i] = 10 * v + sector;
    }
  },
});
