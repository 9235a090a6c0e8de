import type { en } from './en.ts';

/** Every sentence of the page of columns; a language that lacks one is a type error. */
export type ColumnsWords = typeof en;
