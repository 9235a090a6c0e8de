import type { en } from './en.ts';

/** Every sentence of the map; a language that lacks one is a type error. */
export type MapWords = typeof en;

/** Why a layer cannot be shown; said in the row of the layer. */
export type LayerProblem = keyof MapWords['problem'];
