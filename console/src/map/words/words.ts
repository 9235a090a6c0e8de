import { lazyWords, type Locale } from '../../words/lazy-words.ts';
import type { en } from './en.ts';

/** The words of maps. */
export type MapWords = typeof en;

export const mapWords = lazyWords<MapWords>({
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
  kk: async () => (await import('./kk.ts')).kk,
});

/** The reason why a layer cannot be shown; it appears in the row of the layer. */
export type LayerProblem = keyof MapWords['problem'];

/** The words of maps and their language. */
export type MapLocale = Locale<MapWords>;
