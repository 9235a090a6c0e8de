import type { LandscapeWords } from './words.ts';
import { areas } from './ru/areas.ts';
import { dossier } from './ru/dossier.ts';
import { explain } from './ru/explain.ts';
import { inputs } from './ru/inputs.ts';
import { limits } from './ru/limits.ts';
import { polygons } from './ru/polygons.ts';
import { results } from './ru/results.ts';
import { runs } from './ru/runs.ts';
import { series } from './ru/series.ts';
import { watch } from './ru/watch.ts';

export const ru: LandscapeWords = {
  sections: {
    title: 'Ландшафтная программа',
    inputs: 'Входные данные и план',
    runs: 'Расчёты',
    results: 'Результаты',
  },
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
