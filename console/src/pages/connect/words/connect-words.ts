import { lazyWords } from '../../../words/lazy-words.ts';
import { language } from '../../../words/words.ts';
import type { ConnectWords } from './words.ts';

const words = lazyWords<ConnectWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** Loads the words of the page on which other programs are connected; they come with it and not before. */
export const loadConnectWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const connectWords = (): ConnectWords | undefined => words.loaded(language());
