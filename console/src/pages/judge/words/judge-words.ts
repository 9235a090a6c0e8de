import { language } from '../../../words/words.ts';
import { lazyWords } from '../../../words/lazy-words.ts';
import type { judge } from './en.ts';

/** Every sentence of the page that judges a zoning; a language that lacks one is a type error. */
export type JudgeWords = typeof judge;

const words = lazyWords<JudgeWords>({
  en: async () => (await import('./en.ts')).judge,
  ru: async () => (await import('./ru.ts')).judge,
  kk: async () => (await import('./kk.ts')).judge,
});

/** Loads the words that come with the page and not before. */
export const loadJudgeWords = words.load;

/** The words in the language of the reader; undefined until they are loaded. */
export const judgeWords = (): JudgeWords | undefined => words.loaded(language());
