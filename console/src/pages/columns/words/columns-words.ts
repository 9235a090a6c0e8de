import { language } from '../../../words/words.ts';
import { lazyWords } from '../../../words/lazy-words.ts';
import type { ColumnsWords } from './words.ts';

const words = lazyWords<ColumnsWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words of columns, which come with their page and not before. */
export const loadColumnsWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const columnsWords = (): ColumnsWords | undefined => words.loaded(language());
