import type { Sentences } from '../areas.ts';
import { grouped } from './wording.ts';

export const legend: Sentences<'legend'> = {
  legend: {
    noData: 'нет данных: не рисуется',
    others: 'прочие',
    unnamedClass: 'без названия',
    colours: 'Цвета как в файле',
    above: (from) => `от ${from}`,
    below: (to) => `менее ${to}`,
    more: (count) => `… и ещё ${grouped(count)}`,
  },
};
