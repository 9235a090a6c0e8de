import { lazyWords } from '../../../words/lazy-words.ts';
import type { en } from './en.ts';

/** The words of names of places in tables. */
export type PlaceWords = typeof en;

export const placeWords = lazyWords<PlaceWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});
