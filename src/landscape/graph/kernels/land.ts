import { classNoData, floatNoData } from '../../model/bands.ts';
import { brownToTeal, greens, ramp, values } from '../../model/palettes.ts';
import { byFormula } from '../../model/explanation.ts';
import { classNode, numberNode } from '../../model/node.ts';
import { evapotranspiration, landCover, precipitation, vegetationIndex } from '../../model/leaves.ts';

export const aridity = numberNode({
  name: '03-aridity',
  title: 'Aridity index P/PET',
  formula: '`P / PET`: precipitation over reference evapotranspiration, both in mm a year.',
  source: 'UNEP: hyper-arid below 0.05, arid below 0.20, semi-arid below 0.50, dry sub-humid below 0.65.',
  reading:
    'High values mean a moist climate and low values a dry one: below 0.2 it is arid, from 0.2 to 0.5 semi-arid, and from 0.65 humid. The index is a mean of many years: do not use it for the drought or the harvest of a single year.',
  inputs: { precipitation, evapotranspiration },
  explain: { decide: byFormula },
  legend: ramp([0, 0.25, 0.5, 0.75, 1], brownToTeal),
  compute({ precipitation, evapotranspiration }, output) {
    for (let i = 0; i < output.length; i++) {
      const rain = precipitation[i] ?? floatNoData;
      const demand = evapotranspiration[i] ?? floatNoData;
      output[i] = rain === floatNoData || demand === floatNoData ? floatNoData : rain / demand;
    }
  },
});

/** NDVI of bare soil, and the difference to that of full cover, 0.52. */
const bareSoil = 0.04;
const toFullCover = 0.48;

export const vegetationCover = numberNode({
  name: '04-vegetation-cover',
  title: 'Fractional vegetation cover, percent',
  unit: 'percent',
  formula: '`100 (NDVI − 0.04) / (0.52 − 0.04)`, from 0 at bare soil to 100 at full cover, and no further.',
  source: 'Carlson and Ripley (1997), linear.',
  reading:
    '0 means bare soil, and 100 ground that green plants cover completely from May to September. The map follows the green that satellites see in several years: do not use it to distinguish crops from grass, or for the yield or the state of a single year.',
  inputs: { vegetationIndex },
  explain: { decide: byFormula },
  legend: ramp([0, 25, 50, 75, 100], greens, ' %'),
  compute({ vegetationIndex }, output) {
    for (let i = 0; i < output.length; i++) {
      const index = vegetationIndex[i] ?? floatNoData;
      if (index === floatNoData) output[i] = floatNoData;
      else output[i] = 100 * Math.min(1, Math.max(0, (index - bareSoil) / toFullCover));
    }
  },
});

/** The class of allocable land. */
export const allocableLand = 1;

const builtUp = 50;
const snowAndIce = 70;
const water = 80;

export const allocable = classNode({
  name: '05-allocable',
  title: 'Allocable land',
  formula:
    'By land cover: water (80) is 2, built-up land (50) is 3, snow and ice (70) is 4, everything else is 1. ' +
    'Land that cannot be allotted to a use is excluded before sectors compete.',
  source: 'LUCIS, adapted.',
  reading:
    'Only places of class 1 take part in the search for a use; water, built-up land, snow and ice are excluded. The map follows the land cover that satellites see: do not use it as evidence of ownership, of the category of land or of a right to build.',
  inputs: { landCover },
  explain: { decide: () => ({ rule: 'classes', by: [landCover.key] }) },
  legend: values([
    [allocableLand, '#f0f0f0', 'Allocable'],
    [2, '#4292c6', 'Water'],
    [3, '#cb181d', 'Built-up'],
    [4, '#c6dbef', 'Snow and ice'],
  ]),
  compute({ landCover }, output) {
    for (let i = 0; i < output.length; i++) {
      const cover = landCover[i] ?? classNoData;
      if (cover === classNoData) output[i] = classNoData;
      else if (cover === water) output[i] = 2;
      else if (cover === builtUp) output[i] = 3;
      else if (cover === snowAndIce) output[i] = 4;
      else output[i] = allocableLand;
    }
  },
});
