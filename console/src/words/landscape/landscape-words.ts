import { signal } from '@preact/signals';
import type { Language } from '../languages.ts';
import { language } from '../words.ts';
import type { LandscapeWords } from './words.ts';

const modules = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
} as const satisfies Record<Language, () => Promise<LandscapeWords>>;

const loaded = signal<{ readonly [Each in Language]?: LandscapeWords }>({});

/** Loads the words of the Landscape Program, which come with its pages and not before. */
export async function loadLandscapeWords(wanted: Language): Promise<void> {
  const words = await modules[wanted]();
  loaded.value = { ...loaded.peek(), [wanted]: words };
}

/** The words in the language of the reader; undefined until they are loaded. */
export function landscapeWords(): LandscapeWords | undefined {
  return loaded.value[language()];
}
