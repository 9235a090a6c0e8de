import { lazyWords } from '../../../words/lazy-words.ts';
import type { areas } from './en.ts';

/** The words of areas by units. */
export type AreasWords = typeof areas;

export const areasWords = lazyWords<AreasWords>({
  en: async () => (await import('./en.ts')).areas,
  ru: async () => (await import('./ru.ts')).areas,
  kk: async () => (await import('./kk.ts')).areas,
});
