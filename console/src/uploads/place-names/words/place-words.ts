import { lazyWords } from '../../../words/lazy-words.ts';
import type { PlaceWords } from './words.ts';

const words = lazyWords<PlaceWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words about names of places, which come with the first table that has them. */
export const loadPlaceWords = words.load;

/** The words in a language, where they have been loaded. */
export const loadedPlaceWords = words.loaded;
