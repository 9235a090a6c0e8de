/** x = [0] + [1]·column + [2]·row; y = [3] + [4]·column + [5]·row, at pixel corners, GDAL's order. */
export type Affine = readonly [number, number, number, number, number, number];

/** Facts from the headers of a raster. */
export interface RasterFacts {
  readonly width: number;
  readonly height: number;
  /** Absent when the raster has no georeference. */
  readonly affine: Affine | undefined;
  /** Absent when it names no CRS. */
  readonly crs: RasterCrs | undefined;
}

export interface RasterCrs {
  readonly wkt: string;
  readonly kind: 'geographic' | 'web-mercator' | 'projected' | 'other';
  /** Degrees of one unit of a geographic CRS, metres of one unit of any other. */
  readonly unit: number;
}

/** Pixels of band 1 in a window, row by row; the reader may change them, the next reading does. */
export interface RasterPixels {
  /** Scale and offset of the band applied. */
  readonly values: Float64Array;
  /** 0 where the raster has no value: nodata, a mask, an alpha band; absent when there is a value everywhere. */
  readonly mask: Uint8Array | undefined;
}

export interface RasterWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A raster that is open for reading band 1 at full resolution. */
export interface OpenRaster extends Disposable {
  readonly facts: RasterFacts;
  /**
   * `window` lies within the raster. One reading at a time: it may reuse the arrays of the one before, of whatever raster.
   * @throws {UnreadableRaster}
   */
  read(window: RasterWindow): Promise<RasterPixels>;
}

/** Moves points in place, easting or longitude first; a point that has no image becomes NaN, NaN. */
export type PointTransformation = (xs: Float64Array, ys: Float64Array) => void;

/** PORT. Reads rasters for code in an engine child that does not know GDAL. */
export interface RasterReader {
  /** @throws {UnreadableRaster} when the file cannot be opened, or has no band of real numbers. */
  open(path: string): Promise<OpenRaster>;
  /** Transforms coordinates of one CRS to those of another; undefined when there is no transformation. */
  transformation(from: RasterCrs, to: RasterCrs): PointTransformation | undefined;
  /**
   * Moves coordinates of a CRS to longitudes and latitudes on WGS 84, in place; NaN, NaN for those beyond the earth. Undefined
   * when none are on it.
   */
  earthOf(crs: RasterCrs): PointTransformation | undefined;
  isSameCrs(one: RasterCrs, other: RasterCrs): boolean;
}

/** The raster, not the machine, is to blame. */
export class UnreadableRaster extends Error {
  override readonly name = 'UnreadableRaster';
}

/** A raster of one band whose tiles are encoded where they are computed, and what of it is. */
export interface EncodedRaster {
  readonly width: number;
  readonly height: number;
  readonly dataType: 'Float32' | 'Byte' | 'UInt16';
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
  put(tile: RasterWindow, values: Float32Array | Uint8Array | Uint16Array): Promise<void>;
  /** Closes the files and decodes all that was written. @throws {Error} when a tile is missing, or is another by now. */
  finish(): Promise<void>;
  /**
   * Puts the tiles of each file in their order, once it is finished; the tiles have to be a rectangle.
   * @returns for each file how many of its bytes, from the first on, have to be there when a COG is composed of it.
   */
  arrange(): Promise<readonly number[]>;
}

export type CreateTileEncoder = (raster: EncodedRaster) => TileEncoder;
