import { language } from '../../../words/words.ts';
import { lazyWords } from '../../../words/lazy-words.ts';
import type { StyleWords } from './words.ts';

const words = lazyWords<StyleWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words of the page of styles, which come with it and not before. */
export const loadStyleWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const styleWords = (): StyleWords | undefined => words.loaded(language());
