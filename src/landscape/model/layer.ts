import type { Band, TileBands } from './bands.ts';

/** The storage of the pixels of a layer: whole numbers, with the most frequent one in overviews. */
export interface LayerStorage {
  readonly dataType: 'Byte' | 'UInt16';
  readonly noData: number;
}

/** An internal raster that is computed only from bands of a run, without parameters. It is not a dataset, and nodes do not read it. */
export interface Layer extends LayerStorage {
  readonly name: string;
  /** Outputs of nodes and leaves. */
  readonly inputs: readonly Band[];
  /** Reads the bands of `inputs`, pixel by pixel, and fills the output for the whole tile. */
  evaluate(bands: Omit<TileBands, 'elevation'>, output: LayerPixels): void;
}

export type LayerPixels = Uint8Array | Uint16Array;
