import { lazyWords } from '../../../words/lazy-words.ts';
import type { SpreadsheetWords } from './words.ts';

const words = lazyWords<SpreadsheetWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words about spreadsheets, which come with the first spreadsheet and not before. */
export const loadSpreadsheetWords = words.load;

/** The words in a language, where they have been loaded. */
export const loadedSpreadsheetWords = words.loaded;
