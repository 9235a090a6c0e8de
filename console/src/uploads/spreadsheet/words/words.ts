import { lazyWords } from '../../../words/lazy-words.ts';
import type { en } from './en.ts';

/** The words of spreadsheets. */
export type SpreadsheetWords = typeof en;

export const spreadsheetWords = lazyWords<SpreadsheetWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});
