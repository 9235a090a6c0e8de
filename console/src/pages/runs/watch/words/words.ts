import { lazyWords } from '../../../../words/lazy-words.ts';
import type { watch } from './en.ts';

/** The words of the watch. */
export type WatchWords = typeof watch;

export const watchWords = lazyWords<WatchWords>({
  en: async () => (await import('./en.ts')).watch,
  ru: async () => (await import('./ru.ts')).watch,
  kk: async () => (await import('./kk.ts')).watch,
});
