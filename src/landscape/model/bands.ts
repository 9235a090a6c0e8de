import type { Tile } from './tiles.ts';
import type { LandscapeParams } from './params.ts';

/** The nodata value of continuous bands; class bands use 0. */
export const floatNoData = -9999;
export const classNoData = 0;

/** How rasters hold the pixels of a band. */
export function storageOf({ type }: Band) {
  return type === 'float32'
    ? ({ dataType: 'Float32', noData: floatNoData } as const)
    : ({ dataType: 'Byte', noData: classNoData } as const);
}

/** One raster of the graph: a leaf slot's, or a node's output. Inputs of nodes are bands. */
export type Band = FloatBand | ClassBand;

export interface FloatBand extends BandFacts {
  readonly type: 'float32';
  /** The valid values in the band's unit, both ends included; all finite numbers when absent. */
  readonly range?: readonly [min: number, max: number];
  /** The number by which usual products multiply these values, so that they are whole numbers. */
  readonly usualFactor?: number;
}

export interface ClassBand extends BandFacts {
  readonly type: 'uint8';
  /** The valid values; never 0, unless `zeroWhereMissing` says that no value means class 0. */
  readonly classes: readonly number[];
  /** True where no value, an unknown one and no coverage all mean class 0, which then is a value like the others. */
  readonly zeroWhereMissing?: true;
}

interface BandFacts {
  /** The slot's key (`soil-texture`) or the node's code (`11`): unique in the graph. */
  readonly key: string;
  /** Code of its dataset group. */
  readonly group: string;
  readonly title: string;
  /** Null for a number without a unit. */
  readonly unit: string | null;
}

/** The pixels of one tile, row by row, as kernels see them: each array has one element per pixel of the tile. */
export interface TileBands {
  floats(band: FloatBand): Float32Array;
  classes(band: ClassBand): Uint8Array;
  /** The one band that is read with its neighbourhood: the reference grid's own. */
  elevation(): Elevation;
}

/** Its array covers `window`, which is the tile and the halo around it, cut at the edge of the raster. */
export interface Elevation {
  readonly values: Float32Array;
  readonly window: Tile;
}

/** Reads the elevation at an index; `centre` where there is none. */
export function heightOr(centre: number, values: Float32Array, index: number): number {
  const height = values[index] ?? centre;
  return height === floatNoData ? centre : height;
}

/** Size of a pixel on the ground, metres. */
export interface PixelSize {
  readonly dx: number;
  readonly dy: number;
}

/** Columns and rows that make up one kilometre on the ground, 1 to 128. */
export interface Lags {
  readonly x: number;
  readonly y: number;
}

/** A kernel's facts beside pixels. */
export interface TileContext {
  readonly tile: Tile;
  /** Ground size of a pixel by absolute row of the grid. */
  pixelSize(row: number): PixelSize;
  readonly lags: Lags;
  readonly params: LandscapeParams;
}
