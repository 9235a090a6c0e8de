import { lazyWords } from '../../../../words/lazy-words.ts';
import type { polygons } from './en.ts';

/** The words of zones as polygons. */
export type PolygonsWords = typeof polygons;

export const polygonsWords = lazyWords<PolygonsWords>({
  en: async () => (await import('./en.ts')).polygons,
  ru: async () => (await import('./ru.ts')).polygons,
  kk: async () => (await import('./kk.ts')).polygons,
});
