import type { LandscapeWords } from './words.ts';
import { areas } from '../../areas/words/kk.ts';
import { dossier } from '../../runs/dossier/words/kk.ts';
import { explain } from '../../explain/words/kk.ts';
import { inputs } from '../../inputs/words/kk.ts';
import { limits } from '../../limits/words/kk.ts';
import { polygons } from '../../runs/polygons/words/kk.ts';
import { results } from '../../results/words/kk.ts';
import { runs } from '../../runs/words/kk.ts';
import { series } from '../../series/words/kk.ts';
import { watch } from '../../runs/watch/words/kk.ts';

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
