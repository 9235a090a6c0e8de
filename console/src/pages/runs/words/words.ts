import { lazyWords } from '../../../words/lazy-words.ts';
import type { dossier, polygons, runs, watch } from './en.ts';

/** The words of runs. */
export type RunsWords = typeof runs;

export const runsWords = lazyWords<RunsWords>({
  en: async () => (await import('./en.ts')).runs,
  ru: async () => (await import('./ru.ts')).runs,
  kk: async () => (await import('./kk.ts')).runs,
});

/** The words of dossiers. */
export type DossierWords = typeof dossier;

export const dossierWords = lazyWords<DossierWords>({
  en: async () => (await import('./en.ts')).dossier,
  ru: async () => (await import('./ru.ts')).dossier,
  kk: async () => (await import('./kk.ts')).dossier,
});

/** The words of zones as polygons. */
export type PolygonsWords = typeof polygons;

export const polygonsWords = lazyWords<PolygonsWords>({
  en: async () => (await import('./en.ts')).polygons,
  ru: async () => (await import('./ru.ts')).polygons,
  kk: async () => (await import('./kk.ts')).polygons,
});

/** The words of the watch. */
export type WatchWords = typeof watch;

export const watchWords = lazyWords<WatchWords>({
  en: async () => (await import('./en.ts')).watch,
  ru: async () => (await import('./ru.ts')).watch,
  kk: async () => (await import('./kk.ts')).watch,
});
