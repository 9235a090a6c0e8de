/** How to make a COG of stretches of files. */
export interface CogComposition {
  /** In the order of the COG. */
  readonly pieces: readonly { readonly path: string; readonly start: number; readonly length: number }[];
  /** What the COG then has, in its order: its head, and each tile, by their lengths and their CRC-32. */
  readonly blocks: readonly (readonly [length: number, checksum: number])[];
}
