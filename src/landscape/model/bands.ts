import type { Tile } from './tiles.ts';
import type { LandscapeParams } from './params.ts';

/** The nodata value of continuous bands; class bands use 0. */
export const floatNoData = -9999;
export const classNoData = 0;

/** Returns the storage of the pixels of a band in rasters. */
export function storageOf({ type }: Band) {
  return type === 'float32'
    ? ({ dataType: 'Float32', noData: floatNoData } as const)
    : ({ dataType: 'Byte', noData: classNoData } as const);
}

/** A raster of the graph: the leaf of a slot, or the output of a node. Nodes read bands. */
export type Band = FloatBand | ClassBand;

export interface FloatBand extends BandFacts {
  readonly type: 'float32';
  /** The valid values in the band's unit, both ends included; all finite numbers when absent. */
  readonly range?: readonly [min: number, max: number];
  /** The factor by which common products multiply these values, to store whole numbers. */
  readonly usualFactor?: number;
}

export interface ClassBand extends BandFacts {
  readonly type: 'uint8';
  /** The valid values; never 0, unless `zeroWhereMissing` is set. */
  readonly classes: readonly number[];
  /** True if nodata, unknown values and missing coverage all mean class 0, which then counts as a value. */
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

/** The pixels of a tile for kernels, in row-major order: each array has one element per pixel of the tile. */
export interface TileBands {
  floats(band: FloatBand): Float32Array;
  classes(band: ClassBand): Uint8Array;
  /** The only band that is read with neighbouring pixels: the band of the reference grid. */
  elevation(): Elevation;
}

/** Its array covers `window`: the tile and its halo, clipped to the raster. */
export interface Elevation {
  readonly values: Float32Array;
  readonly window: Tile;
}

/** Returns the elevation at an index; `centre` if it is missing. */
export function heightOr(centre: number, values: Float32Array, index: number): number {
  const height = values[index] ?? centre;
  return height === floatNoData ? centre : height;
}

/** Size of a pixel on the ground, metres. */
export interface PixelSize {
  readonly dx: number;
  readonly dy: number;
}

/** The numbers of columns and rows that correspond to one kilometre on the ground, 1 to 128. */
export interface Lags {
  readonly x: number;
  readonly y: number;
}

/** The context of a kernel in addition to pixels. */
export interface TileContext {
  readonly tile: Tile;
  /** Returns the size of a pixel on the ground by absolute row of the grid. */
  pixelSize(row: number): PixelSize;
  readonly lags: Lags;
  readonly params: LandscapeParams;
}
