import type { Language } from '../languages.ts';
import type { MapWords } from './words.ts';

const modules = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
} as const satisfies Record<Language, () => Promise<MapWords>>;

const loaded = new Map<Language, MapWords>();

/** Loads the words of the map, which come with the map and not before. */
export async function loadMapWords(language: Language): Promise<MapWords> {
  const words = await modules[language]();
  loaded.set(language, words);
  return words;
}

/** The words of the map, where they have been loaded. */
export function loadedMapWords(language: Language): MapWords | undefined {
  return loaded.get(language);
}
