import { lazyWords } from '../../../words/lazy-words.ts';
import type { forms } from './en.ts';

/** The words of forms that are filled. */
export type FormsWords = typeof forms;

export const formsWords = lazyWords<FormsWords>({
  en: async () => (await import('./en.ts')).forms,
  ru: async () => (await import('./ru.ts')).forms,
  kk: async () => (await import('./kk.ts')).forms,
});
