import type { en } from './en.ts';

/** Every sentence about names of places in tables; a language that lacks one is a type error. */
export type PlaceWords = typeof en;
