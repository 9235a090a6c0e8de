/** The example node of docs/landscape.md: the text of its file, and the line that lists it. */
export const exampleNode = {
  file: 'water-balance.ts',
  text: `import { floatNoData } from '../../model/bands.ts';
import { byFormula } from '../../model/explanation.ts';
import { numberNode } from '../../model/node.ts';
import { evapotranspiration, precipitation } from '../../model/leaves.ts';
import { brownToTeal, ramp } from '../../model/palettes.ts';

export const waterBalance = numberNode({
  name: '06-water-balance',
  title: 'Climatic water balance, mm/yr',
  unit: 'mm/yr',
  formula: '\`P − PET\`: precipitation less reference evapotranspiration, both in mm a year.',
  source: 'Thornthwaite and Mather (1955).',
  reading:
    'High values are a moist climate, and below zero more water can evaporate than rain brings. ' +
    'It is a mean of many years: do not use it for the drought of a single year.',
  inputs: { precipitation, evapotranspiration },
  explain: { decide: byFormula },
  legend: ramp([-1000, -500, 0, 500, 1000], brownToTeal, ' mm/yr'),
  compute({ precipitation, evapotranspiration }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const demand = evapotranspiration[i] ?? floatNoData;
      output[i] = rain === floatNoData || demand === floatNoData ? floatNoData : rain - demand;
    }
  },
});
`,
  line: "export { waterBalance } from './kernels/water-balance.ts';\n",
};
