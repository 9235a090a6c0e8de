import { lazyWords } from '../../../words/lazy-words.ts';
import type { results } from './en.ts';

/** The words of results. */
export type ResultsWords = typeof results;

export const resultsWords = lazyWords<ResultsWords>({
  en: async () => (await import('./en.ts')).results,
  ru: async () => (await import('./ru.ts')).results,
  kk: async () => (await import('./kk.ts')).results,
});
