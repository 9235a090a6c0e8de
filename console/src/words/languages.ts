import type { en } from './en.ts';

/** Every sentence of the page; a language that lacks one is a type error. */
export type Words = typeof en;

export const languages = ['kk', 'ru', 'en'] as const;
export type Language = (typeof languages)[number];

/** Names of the languages in the languages themselves, for the language menu. */
export const namesOfLanguages = {
  kk: { short: 'ҚАЗ', long: 'Қазақша' },
  ru: { short: 'РУС', long: 'Русский' },
  en: { short: 'ENG', long: 'English' },
} as const satisfies Record<Language, unknown>;
