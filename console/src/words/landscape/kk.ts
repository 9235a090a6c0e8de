import type { LandscapeWords } from './words.ts';
import { areas } from './kk/areas.ts';
import { dossier } from './kk/dossier.ts';
import { explain } from './kk/explain.ts';
import { inputs } from './kk/inputs.ts';
import { limits } from './kk/limits.ts';
import { polygons } from './kk/polygons.ts';
import { results } from './kk/results.ts';
import { runs } from './kk/runs.ts';
import { series } from './kk/series.ts';
import { watch } from './kk/watch.ts';

export const kk: LandscapeWords = {
  sections: {
    title: 'Ландшафт бағдарламасы',
    inputs: 'Кіріс деректер және жоспар',
    runs: 'Есептеулер',
    results: 'Нәтижелер',
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
