import { lazyWords } from '../../words/lazy-words.ts';
import type { MapWords } from './words.ts';

const words = lazyWords<MapWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words of the map, which come with the map and not before. */
export const loadMapWords = words.load;

/** The words in a language, where they have been loaded. */
export const loadedMapWords = words.loaded;
