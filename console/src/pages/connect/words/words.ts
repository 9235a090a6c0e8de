import type { en } from './en.ts';

/** The words of the page on which other programs are connected. */
export type ConnectWords = typeof en;
