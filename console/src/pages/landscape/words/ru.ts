import type { LandscapeWords } from './words.ts';
import { areas } from '../../areas/words/ru.ts';
import { dossier } from '../../runs/dossier/words/ru.ts';
import { explain } from '../../explain/words/ru.ts';
import { inputs } from '../../inputs/words/ru.ts';
import { limits } from '../../limits/words/ru.ts';
import { polygons } from '../../runs/polygons/words/ru.ts';
import { results } from '../../results/words/ru.ts';
import { runs } from '../../runs/words/ru.ts';
import { series } from '../../series/words/ru.ts';
import { watch } from '../../runs/watch/words/ru.ts';

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
