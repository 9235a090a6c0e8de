import { signal } from '@preact/signals';
import type { Language } from '../languages.ts';
import { language } from '../words.ts';
import type { compare } from './en/compare.ts';

/** Every sentence of the page that compares runs; a language that lacks one is a type error. */
export type CompareWords = typeof compare;

const modules = {
  en: async () => (await import('./en/compare.ts')).compare,
  ru: async () => (await import('./ru/compare.ts')).compare,
  kk: async () => (await import('./kk/compare.ts')).compare,
} as const satisfies Record<Language, () => Promise<CompareWords>>;

const loaded = signal<{ readonly [Each in Language]?: CompareWords }>({});

/** Loads the words that come with the page and not before. */
export async function loadCompareWords(wanted: Language): Promise<void> {
  const words = await modules[wanted]();
  loaded.value = { ...loaded.peek(), [wanted]: words };
}

/** The words in the language of the reader; undefined until they are loaded. */
export function compareWords(): CompareWords | undefined {
  return loaded.value[language()];
}
