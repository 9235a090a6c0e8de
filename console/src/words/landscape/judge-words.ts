import { signal } from '@preact/signals';
import type { Language } from '../languages.ts';
import { language } from '../words.ts';
import type { judge } from './en/judge.ts';

/** Every sentence of the page that judges a zoning; a language that lacks one is a type error. */
export type JudgeWords = typeof judge;

const modules = {
  en: async () => (await import('./en/judge.ts')).judge,
  ru: async () => (await import('./ru/judge.ts')).judge,
  kk: async () => (await import('./kk/judge.ts')).judge,
} as const satisfies Record<Language, () => Promise<JudgeWords>>;

const loaded = signal<{ readonly [Each in Language]?: JudgeWords }>({});

/** Loads the words that come with the page and not before. */
export async function loadJudgeWords(wanted: Language): Promise<void> {
  const words = await modules[wanted]();
  loaded.value = { ...loaded.peek(), [wanted]: words };
}

/** The words in the language of the reader; undefined until they are loaded. */
export function judgeWords(): JudgeWords | undefined {
  return loaded.value[language()];
}
