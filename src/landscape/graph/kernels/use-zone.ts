import { classNoData } from '../../model/bands.ts';
import { values } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import type { LandscapeParams } from '../../model/params.ts';
import { maxSuitability } from './max-suitability.ts';
import { sensitivity } from './sensitivity.ts';

export const useZone = classNode({
  name: '33-use-zone',
  title: 'Zone of permitted use V',
  formula:
    'V1 where `E ≤ 2` and `S ≥ v1_min_s_e12`, or `E = 3` and `S ≥ v1_min_s_e3`; else V2 where `E = 3` and `S ≥ v2_min_s_e3`, or ' +
    '`E = 4` and `S ≥ v2_min_s_e4`; else V3. The more sensitive land is, the more suitable it has to be.',
  source:
    'Zones of intensive and extensive development and of conservation, as in landscape planning in Russia and the CIS ' +
    '(Antipov and Drozdov 2002); the thresholds are our own choice.',
  inputs: { sensitivity, maxSuitability },
  params: ['v1_min_s_e12', 'v1_min_s_e3', 'v2_min_s_e3', 'v2_min_s_e4'],
  legend: values([
    [1, '#1a9641', 'V1 intensive development'],
    [2, '#fdae61', 'V2 extensive development'],
    [3, '#00441b', 'V3 conservation, reserve'],
  ]),
  compute({ sensitivity, maxSuitability }, output, { params }) {
    for (let i = 0; i < output.length; i++) {
      const s = maxSuitability[i] ?? classNoData;
      const e = sensitivity[i] ?? classNoData;
      output[i] = s === classNoData || e === classNoData ? classNoData : zoneOf(s, e, params);
    }
  },
});

/** V1 is tested first: where both thresholds are met at E = 3, it is V1, whatever their order. */
function zoneOf(s: number, e: number, thresholds: LandscapeParams): 1 | 2 | 3 {
  if (e <= 2) return s >= thresholds.v1_min_s_e12 ? 1 : 3;
  if (e === 3 && s >= thresholds.v1_min_s_e3) return 1;
  if (e === 3 && s >= thresholds.v2_min_s_e3) return 2;
  if (e === 4 && s >= thresholds.v2_min_s_e4) return 2;
  return 3;
}
