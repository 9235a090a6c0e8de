import { areas } from './en/areas.ts';
import { explain } from './en/explain.ts';
import { inputs } from './en/inputs.ts';
import { limits } from './en/limits.ts';
import { results } from './en/results.ts';
import { runs } from './en/runs.ts';

export const en = {
  sections: { title: 'The Landscape Program', inputs: 'Inputs and plan', runs: 'Runs', results: 'Results' },
  areas,
  explain,
  inputs,
  limits,
  runs,
  results,
};
