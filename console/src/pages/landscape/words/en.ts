import { areas } from '../../areas/words/en.ts';
import { dossier } from '../../runs/dossier/words/en.ts';
import { explain } from '../../explain/words/en.ts';
import { inputs } from '../../inputs/words/en.ts';
import { limits } from '../../limits/words/en.ts';
import { polygons } from '../../runs/polygons/words/en.ts';
import { results } from '../../results/words/en.ts';
import { runs } from '../../runs/words/en.ts';
import { series } from '../../series/words/en.ts';
import { watch } from '../../runs/watch/words/en.ts';

export const en = {
  sections: { title: 'The Landscape Program', inputs: 'Inputs and plan', runs: 'Runs', results: 'Results' },
  areas,
  dossier,
  explain,
  inputs,
  limits,
  polygons,
  runs,
  results,
  series,
  watch,
};
