/** x = [0] + [1]·column + [2]·row; y = [3] + [4]·column + [5]·row, at pixel corners, in GDAL's order. */
export type Affine = readonly [number, number, number, number, number, number];

export interface RasterFacts {
  readonly width: number;
  readonly height: number;
  /** Absent without a georeference. */
  readonly affine: Affine | undefined;
  /** Absent without a CRS. */
  readonly crs: RasterCrs | undefined;
}

export interface RasterCrs {
  readonly wkt: string;
  readonly kind: 'geographic' | 'web-mercator' | 'projected' | 'other';
  /** Degrees per unit of a geographic CRS, metres per unit of any other. */
  readonly unit: number;
}

/** Pixels of band 1 in a window, row by row; callers may change them, and the next read does. */
export interface RasterPixels {
  /** Scale and offset of the band are applied. */
  readonly values: Float64Array;
  /** 0 marks pixels without a value: nodata, a mask, an alpha band; absent if every pixel has a value. */
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
   * `window` must lie within the raster. One read at a time: the next one, of any raster, may reuse its arrays.
   * @throws {UnreadableRaster}
   */
  read(window: RasterWindow): Promise<RasterPixels>;
}

/** Transforms points in place, easting or longitude first; a point without an image becomes NaN, NaN. */
export type PointTransformation = (xs: Float64Array, ys: Float64Array) => void;

/** PORT. Reads rasters for code in an engine child that is independent of GDAL. */
export interface RasterReader {
  /** @throws {UnreadableRaster} if the file cannot be opened, or has no band of real numbers. */
  open(path: string): Promise<OpenRaster>;
  /** Returns the transformation from one CRS to another; undefined for none. */
  transformation(from: RasterCrs, to: RasterCrs): PointTransformation | undefined;
  /**
   * Returns the transformation of a CRS to longitude and latitude on WGS 84, in place; NaN, NaN beyond the earth.
   * Undefined if the CRS is not on the earth.
   */
  earthOf(crs: RasterCrs): PointTransformation | undefined;
  isSameCrs(one: RasterCrs, other: RasterCrs): boolean;
}

/** A fault of the raster, not of the machine. */
export class UnreadableRaster extends Error {
  override readonly name = 'UnreadableRaster';
}

/** A raster of one band whose tiles are encoded where they are computed. */
export interface EncodedRaster {
  readonly width: number;
  readonly height: number;
  readonly dataType: 'Float32' | 'Byte' | 'UInt16';
  readonly noData: number;
  /** The full-resolution tiles that will be passed, in any order. */
  readonly tiles: readonly RasterWindow[];
  /** Prefix of the paths of the files, which end with `.<level>.tif`. */
  readonly path: string;
}

/** PORT. Encodes tiles as they are passed, and the overview tiles that follow from them, into parts of a COG. */
export interface TileEncoder {
  /** Files from the full resolution to the coarsest overview with a complete tile. */
  readonly paths: readonly string[];
  /** @param values pixels of the tile, row by row; may change after the call. @throws {Error} for a tile that was not announced. */
  put(tile: RasterWindow, values: Float32Array | Uint8Array | Uint16Array): Promise<void>;
  /** Encodes the tiles so far, beside other work; otherwise most of them are encoded at the end. */
  flush(): Promise<void>;
  /** Closes the files and decodes everything that was written. @throws {Error} if a tile is missing, or differs. */
  finish(): Promise<void>;
  /**
   * Sorts the tiles of each finished file; the tiles must form a rectangle.
   * @returns for each file the number of leading bytes that must be present to compose a COG of it.
   */
  arrange(): Promise<readonly number[]>;
}

export type CreateTileEncoder = (raster: EncodedRaster) => TileEncoder;
