import { language } from '../../../words/words.ts';
import { lazyWords } from '../../../words/lazy-words.ts';
import type { compare } from './en.ts';

/** Every sentence of the page that compares runs; a language that lacks one is a type error. */
export type CompareWords = typeof compare;

const words = lazyWords<CompareWords>({
  en: async () => (await import('./en.ts')).compare,
  ru: async () => (await import('./ru.ts')).compare,
  kk: async () => (await import('./kk.ts')).compare,
});

/** Loads the words that come with the page and not before. */
export const loadCompareWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const compareWords = (): CompareWords | undefined => words.loaded(language());
