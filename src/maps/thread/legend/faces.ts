import type { Scale } from '../../legend/picture.ts';

export type Role = 'text' | 'title';

/** One size and weight of the letters, for pictures of one scale. */
export interface FaceOrder {
  readonly role: Role;
  readonly scale: Scale;
  /** Pixels of the picture. */
  readonly size: number;
  readonly weight: number;
  /** At so many parts of a pixel a letter can begin, each with a picture of its own. */
  readonly phases: number;
}

/** Those in the atlas, in its order. In these sizes the small letters end on whole pixels. */
export const faceOrders: readonly FaceOrder[] = [
  { role: 'text', scale: 1, size: 13, weight: 400, phases: 4 },
  { role: 'text', scale: 2, size: 26, weight: 400, phases: 1 },
  { role: 'title', scale: 1, size: 15, weight: 600, phases: 4 },
  { role: 'title', scale: 2, size: 30, weight: 600, phases: 1 },
];

/** Opacities in the atlas are 0 to this. */
export const opaque = 31;
/** Widths of letters in the atlas are in these parts of a pixel. */
export const advanceParts = 64;
/** Stands for every character that the atlas lacks. */
export const replacement = 0xfffd;
