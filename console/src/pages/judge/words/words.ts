import { lazyWords } from '../../../words/lazy-words.ts';
import type { judge } from './en.ts';

/** The words of the page that judges a zoning. */
export type JudgeWords = typeof judge;

export const judgeWords = lazyWords<JudgeWords>({
  en: async () => (await import('./en.ts')).judge,
  ru: async () => (await import('./ru.ts')).judge,
  kk: async () => (await import('./kk.ts')).judge,
});
