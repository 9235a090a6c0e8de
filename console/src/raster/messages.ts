import type { Affine, Lattice } from '../../../common/maps/raster/lattice.ts';
import type { Paint, RasterFacts, Spreads } from '../../../common/maps/raster/paint.ts';

export interface OpenRequest {
  /** Absolute address of the COG. */
  readonly url: string;
}

export interface OpenedRaster extends RasterFacts {
  /** Value ranges of the bands that are drawn without a style. */
  readonly spreads: Spreads;
  readonly width: number;
  readonly height: number;
  readonly affine: Affine | undefined;
  /** EPSG code from the GeoTIFF keys of the file. */
  readonly epsg: number | undefined;
}

export interface TileRequest {
  readonly url: string;
  /** The position of the tile in the raster. The caller projects it, so the worker needs no projections. */
  readonly lattice: Lattice;
  /** Pixels per side, a multiple of 8. */
  readonly size: number;
  readonly paint: Paint;
}

/** A request for the values of a tile, without colours. */
export type ClassesRequest = Omit<TileRequest, 'paint'>;

/** Represents no data among classes. */
export const noClass = 65_535;

export interface SurveyRequest {
  readonly url: string;
  readonly bands: readonly number[];
}

export interface PixelRequest {
  readonly url: string;
  readonly column: number;
  readonly row: number;
}

/** Requests to the worker. */
export interface RasterCalls {
  readonly open: (request: OpenRequest) => Promise<OpenedRaster>;
  /** Pixels of four bytes; undefined outside the raster. */
  readonly tile: (request: TileRequest) => Promise<ArrayBuffer | undefined>;
  /** Two bytes per pixel: the whole values of the first band, below 65,535, and `noClass` for no data; undefined outside the raster. */
  readonly classes: (request: ClassesRequest) => Promise<ArrayBuffer | undefined>;
  /** Statistics of bands, counted from one; none for a band that has no values or is too large to read completely. */
  readonly survey: (request: SurveyRequest) => Promise<Spreads>;
  /** The value of each band of a pixel, in its unit; NaN for no data, undefined outside the raster. */
  readonly peek: (request: PixelRequest) => Promise<readonly number[] | undefined>;
  readonly close: (url: string) => Promise<void>;
}

/** Message from the page to the worker. */
export type Question =
  | { readonly job: number; readonly kind: 'open'; readonly request: OpenRequest }
  | { readonly job: number; readonly kind: 'tile'; readonly request: TileRequest }
  | { readonly job: number; readonly kind: 'classes'; readonly request: ClassesRequest }
  | { readonly job: number; readonly kind: 'survey'; readonly request: SurveyRequest }
  | { readonly job: number; readonly kind: 'peek'; readonly request: PixelRequest }
  | { readonly job: number; readonly kind: 'close'; readonly request: string }
  | { readonly job: number; readonly kind: 'authorize'; readonly request: string | undefined };

/** Message from the worker to the page; `status` is the HTTP status of a refusal, and `isAlive` reports that bytes have arrived. */
export type Reply =
  | { readonly isAlive: true }
  | { readonly job: number; readonly answer: unknown }
  | { readonly job: number; readonly error: string; readonly status: number | undefined };

/** The service refused, or the file could not be read; `status` is the HTTP status, if there was one. */
export class RasterFailure extends Error {
  readonly status: number | undefined;
  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}
