import { lazyWords } from '../../../words/lazy-words.ts';
import type { en } from './en.ts';

/** The words of the page on which other programs are connected. */
export type ConnectWords = typeof en;

export const connectWords = lazyWords<ConnectWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});
