import type { en } from './en.ts';

/** Every sentence of the Landscape Program's pages; a language that lacks one is a type error. */
export type LandscapeWords = typeof en;
