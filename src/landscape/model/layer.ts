import type { Band, TileBands } from './bands.ts';

/** How the pixels of a layer are stored: whole numbers, of which overviews have the most frequent one. */
export interface LayerStorage {
  readonly dataType: 'Byte' | 'UInt16';
  readonly noData: number;
}

/**
 * An internal raster that is made of bands as a run has resolved them, of no others and of no parameter. It is not a dataset, and
 * nodes do not read it.
 */
export interface Layer extends LayerStorage {
  readonly name: string;
  /** Outputs of nodes, and leaves. */
  readonly inputs: readonly Band[];
  /** Reads the bands of `inputs`, pixel by pixel, and fills the output on the whole tile. */
  evaluate(bands: Omit<TileBands, 'elevation'>, output: LayerPixels): void;
}

export type LayerPixels = Uint8Array | Uint16Array;
