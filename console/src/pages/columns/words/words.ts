import { lazyWords } from '../../../words/lazy-words.ts';
import type { en } from './en.ts';

/** The words of the page of columns. */
export type ColumnsWords = typeof en;

export const columnsWords = lazyWords<ColumnsWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});
