import { lazyWords } from '../../../words/lazy-words.ts';
import type { inputs } from './en.ts';

/** The words of the inputs and the plan. */
export type InputsWords = typeof inputs;

export const inputsWords = lazyWords<InputsWords>({
  en: async () => (await import('./en.ts')).inputs,
  ru: async () => (await import('./ru.ts')).inputs,
  kk: async () => (await import('./kk.ts')).inputs,
});
