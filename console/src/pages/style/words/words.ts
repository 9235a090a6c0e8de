import type { en } from './en.ts';

/** The words of the page of styles. */
export type StyleWords = typeof en;
