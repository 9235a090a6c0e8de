/** Composition of a COG from ranges of files. */
export interface CogComposition {
  /** In the order of the COG. */
  readonly pieces: readonly { readonly path: string; readonly start: number; readonly length: number }[];
  /** Blocks of the composed COG in order, its head and each tile, with their lengths and CRC-32. */
  readonly blocks: readonly (readonly [length: number, checksum: number])[];
}
