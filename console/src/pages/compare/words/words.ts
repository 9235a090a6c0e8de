import { lazyWords } from '../../../words/lazy-words.ts';
import type { compare } from './en.ts';

/** The words of the page that compares runs. */
export type CompareWords = typeof compare;

export const compareWords = lazyWords<CompareWords>({
  en: async () => (await import('./en.ts')).compare,
  ru: async () => (await import('./ru.ts')).compare,
  kk: async () => (await import('./kk.ts')).compare,
});
