import { language } from '../../../words/words.ts';
import { lazyWords } from '../../../words/lazy-words.ts';
import type { LandscapeWords } from './words.ts';

const words = lazyWords<LandscapeWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words of the Landscape Program, which come with its pages and not before. */
export const loadLandscapeWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const landscapeWords = (): LandscapeWords | undefined => words.loaded(language());
