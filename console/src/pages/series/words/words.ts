import { lazyWords } from '../../../words/lazy-words.ts';
import type { series } from './en.ts';

/** The words of tables that follow a group. */
export type SeriesWords = typeof series;

export const seriesWords = lazyWords<SeriesWords>({
  en: async () => (await import('./en.ts')).series,
  ru: async () => (await import('./ru.ts')).series,
  kk: async () => (await import('./kk.ts')).series,
});
