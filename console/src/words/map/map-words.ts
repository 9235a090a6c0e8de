import type { Language } from '../languages.ts';
import type { MapWords } from './words.ts';

const modules = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
} as const satisfies Record<Language, () => Promise<MapWords>>;

/** Loads the words of the map, which come with the map and not before. */
export async function loadMapWords(language: Language): Promise<MapWords> {
  return await modules[language]();
}
