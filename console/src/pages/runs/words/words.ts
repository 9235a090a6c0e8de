import { lazyWords } from '../../../words/lazy-words.ts';
import type { runs } from './en.ts';

/** The words of runs. */
export type RunsWords = typeof runs;

export const runsWords = lazyWords<RunsWords>({
  en: async () => (await import('./en.ts')).runs,
  ru: async () => (await import('./ru.ts')).runs,
  kk: async () => (await import('./kk.ts')).runs,
});
