import type { LandscapeWords } from './words.ts';
import { explain } from './kk/explain.ts';
import { inputs } from './kk/inputs.ts';
import { results } from './kk/results.ts';
import { runs } from './kk/runs.ts';

export const kk: LandscapeWords = {
  sections: {
    title: 'Ландшафт бағдарламасы',
    inputs: 'Кіріс деректер және жоспар',
    runs: 'Есептеулер',
    results: 'Нәтижелер',
  },
  explain,
  inputs,
  runs,
  results,
};
