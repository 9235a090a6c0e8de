import { floatNoData } from '../../model/bands.ts';
import { brownToTeal, ramp } from '../../model/palettes.ts';
import { numberNode } from '../../model/node.ts';
import { evapotranspiration, precipitation } from '../../model/leaves.ts';

export const aridity = numberNode({
  name: '03-aridity',
  title: 'Aridity index P/PET',
  formula: '`P / PET`: precipitation over reference evapotranspiration, both in mm a year.',
  source: 'UNEP: hyper-arid below 0.05, arid below 0.20, semi-arid below 0.50, dry sub-humid below 0.65.',
  inputs: { precipitation, evapotranspiration },
  legend: ramp([0, 0.25, 0.5, 0.75, 1], brownToTeal),
  compute({ precipitation, evapotranspiration }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const demand = evapotranspiration[i] ?? floatNoData;
      output[i] = rain === floatNoData || demand === floatNoData ? floatNoData : rain / demand;
    }
  },
});
