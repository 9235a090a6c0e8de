import { lazyWords } from '../../../../words/lazy-words.ts';
import type { dossier } from './en.ts';

/** The words of dossiers. */
export type DossierWords = typeof dossier;

export const dossierWords = lazyWords<DossierWords>({
  en: async () => (await import('./en.ts')).dossier,
  ru: async () => (await import('./ru.ts')).dossier,
  kk: async () => (await import('./kk.ts')).dossier,
});
