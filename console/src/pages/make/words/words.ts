import { lazyWords } from '../../../words/lazy-words.ts';
import type { make } from './en.ts';

/** The words of the page that makes an input. */
export type MakeWords = typeof make;

export const makeWords = lazyWords<MakeWords>({
  en: async () => (await import('./en.ts')).make,
  ru: async () => (await import('./ru.ts')).make,
  kk: async () => (await import('./kk.ts')).make,
});
