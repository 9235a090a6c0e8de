import { lazyWords } from '../../../words/lazy-words.ts';
import type { limits } from './en.ts';

/** The words of limits of a use. */
export type LimitsWords = typeof limits;

export const limitsWords = lazyWords<LimitsWords>({
  en: async () => (await import('./en.ts')).limits,
  ru: async () => (await import('./ru.ts')).limits,
  kk: async () => (await import('./kk.ts')).limits,
});
