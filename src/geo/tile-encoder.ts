import type { RasterWindow } from './raster-reader.ts';

/** A raster of one band whose tiles are encoded where they are computed, and what of it is. */
export interface EncodedRaster {
  readonly width: number;
  readonly height: number;
  readonly dataType: 'Float32' | 'Byte';
  readonly noData: number;
  /** The tiles of the full resolution that will come, in any order. */
  readonly tiles: readonly RasterWindow[];
  /** The beginning of the paths of the files; `.<level>.tif` is put behind it. */
  readonly path: string;
}

/** PORT. Encodes tiles as they come, and the tiles of overviews that follow from them, into parts of a COG. */
export interface TileEncoder {
  /** The files, from the full resolution to the coarsest overview of which a tile is complete. */
  readonly paths: readonly string[];
  /** @param values the pixels of the tile, row by row; they may change afterwards. @throws {Error} for a tile that was not announced. */
  put(tile: RasterWindow, values: Float32Array | Uint8Array): Promise<void>;
  /** Closes the files and decodes all that was written. @throws {Error} when a tile is missing, or is another by now. */
  finish(): Promise<void>;
}

export type CreateTileEncoder = (raster: EncodedRaster) => TileEncoder;
