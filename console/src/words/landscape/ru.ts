import type { LandscapeWords } from './words.ts';
import { areas } from './ru/areas.ts';
import { explain } from './ru/explain.ts';
import { inputs } from './ru/inputs.ts';
import { limits } from './ru/limits.ts';
import { results } from './ru/results.ts';
import { runs } from './ru/runs.ts';

export const ru: LandscapeWords = {
  sections: {
    title: 'Ландшафтная программа',
    inputs: 'Входные данные и план',
    runs: 'Расчёты',
    results: 'Результаты',
  },
  areas,
  explain,
  inputs,
  limits,
  runs,
  results,
};
