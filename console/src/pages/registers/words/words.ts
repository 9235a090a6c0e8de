import { lazyWords } from '../../../words/lazy-words.ts';
import type { registers } from './en.ts';

/** The words of the page that compares registers. */
export type RegistersWords = typeof registers;

export const registersWords = lazyWords<RegistersWords>({
  en: async () => (await import('./en.ts')).registers,
  ru: async () => (await import('./ru.ts')).registers,
  kk: async () => (await import('./kk.ts')).registers,
});
