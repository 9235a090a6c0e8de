import { classNoData } from '../../model/bands.ts';
import { values } from '../../model/palettes.ts';
import { classNode } from '../../model/node.ts';
import { landCover } from '../../model/leaves.ts';

/** The class of land that sectors compete for. */
export const allocableLand = 1;

const builtUp = 50;
const snowAndIce = 70;
const water = 80;

export const allocable = classNode({
  name: '05-allocable',
  title: 'Allocable land',
  formula:
    'By land cover: water (80) is 2, built-up land (50) is 3, snow and ice (70) is 4, everything else is 1. ' +
    'What cannot be allotted to a use leaves the competition of sectors first.',
  source: 'LUCIS, adapted.',
  inputs: { landCover },
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
