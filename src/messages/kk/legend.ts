import type { Sentences } from '../areas.ts';
import { grouped } from './wording.ts';

export const legend: Sentences<'legend'> = {
  legend: {
    noData: 'деректер жоқ: салынбайды',
    others: 'басқалары',
    unnamedClass: 'атаусыз',
    colours: 'Түстер файлдағыдай',
    above: (from) => `${from} бастап`,
    below: (to) => `${to} дейін`,
    more: (count) => `… және тағы ${grouped(count)}`,
  },
};
