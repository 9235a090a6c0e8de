import { lazyWords } from '../../../words/lazy-words.ts';
import type { references } from './en.ts';

/** The words of rasters that stay on another server. */
type ReferencesWords = typeof references;

export const referencesWords = lazyWords<ReferencesWords>({
  en: async () => (await import('./en.ts')).references,
  ru: async () => (await import('./ru.ts')).references,
  kk: async () => (await import('./kk.ts')).references,
});
