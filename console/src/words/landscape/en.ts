import { areas } from './en/areas.ts';
import { dossier } from './en/dossier.ts';
import { explain } from './en/explain.ts';
import { inputs } from './en/inputs.ts';
import { limits } from './en/limits.ts';
import { polygons } from './en/polygons.ts';
import { results } from './en/results.ts';
import { runs } from './en/runs.ts';
import { series } from './en/series.ts';
import { watch } from './en/watch.ts';

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
