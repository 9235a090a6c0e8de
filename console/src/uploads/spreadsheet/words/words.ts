import type { en } from './en.ts';

/** Every sentence about spreadsheets; a language that lacks one is a type error. */
export type SpreadsheetWords = typeof en;
