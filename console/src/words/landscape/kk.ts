import type { LandscapeWords } from './words.ts';
import { areas } from './kk/areas.ts';
import { explain } from './kk/explain.ts';
import { inputs } from './kk/inputs.ts';
import { limits } from './kk/limits.ts';
import { results } from './kk/results.ts';
import { runs } from './kk/runs.ts';

export const kk: LandscapeWords = {
  sections: {
    title: 'Ландшафт бағдарламасы',
    inputs: 'Кіріс деректер және жоспар',
    runs: 'Есептеулер',
    results: 'Нәтижелер',
  },
  areas,
  explain,
  inputs,
  limits,
  runs,
  results,
};
