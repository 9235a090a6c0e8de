import type { Affine, Lattice } from '../../../common/maps/raster/lattice.ts';
import type { Paint, RasterFacts, Spreads } from '../../../common/maps/raster/paint.ts';

export interface OpenRequest {
  /** Absolute address of the COG. */
  readonly url: string;
}

export interface OpenedRaster extends RasterFacts {
  /** Of the bands that are drawn without a style. */
  readonly spreads: Spreads;
  readonly width: number;
  readonly height: number;
  readonly affine: Affine | undefined;
  /** EPSG code of the file's own keys. */
  readonly epsg: number | undefined;
}

export interface TileRequest {
  readonly url: string;
  /** Where the tile lies in the raster. The caller has projected it, so that the worker needs no projections. */
  readonly lattice: Lattice;
  /** Pixels along a side, a multiple of 8. */
  readonly size: number;
  readonly paint: Paint;
}

/** Where the values of a tile are wanted, without colours. */
export type ClassesRequest = Omit<TileRequest, 'paint'>;

/** Stands for no data among classes. */
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

/** Questions to the worker. */
export interface RasterCalls {
  readonly open: (request: OpenRequest) => Promise<OpenedRaster>;
  /** Pixels of four bytes; undefined where the raster is not. */
  readonly tile: (request: TileRequest) => Promise<ArrayBuffer | undefined>;
  /**
   * Two bytes for each pixel: the whole values of the first band, below 65,535, and `noClass` where there is none; undefined
   * where the raster is not.
   */
  readonly classes: (request: ClassesRequest) => Promise<ArrayBuffer | undefined>;
  /** Statistics of bands, counted from one; none of a band without values, or too large to be read whole. */
  readonly survey: (request: SurveyRequest) => Promise<Spreads>;
  /** The value of each band of a pixel, in its unit; NaN where there is no data, undefined outside of the raster. */
  readonly peek: (request: PixelRequest) => Promise<readonly number[] | undefined>;
  readonly close: (url: string) => Promise<void>;
}

/** From the page to the worker. */
export type Question =
  | { readonly job: number; readonly kind: 'open'; readonly request: OpenRequest }
  | { readonly job: number; readonly kind: 'tile'; readonly request: TileRequest }
  | { readonly job: number; readonly kind: 'classes'; readonly request: ClassesRequest }
  | { readonly job: number; readonly kind: 'survey'; readonly request: SurveyRequest }
  | { readonly job: number; readonly kind: 'peek'; readonly request: PixelRequest }
  | { readonly job: number; readonly kind: 'close'; readonly request: string }
  | { readonly job: number; readonly kind: 'authorize'; readonly request: string | undefined };

/** From the worker to the page; `status` is that of HTTP when the service refused, and `isAlive` that bytes have come. */
export type Reply =
  | { readonly isAlive: true }
  | { readonly job: number; readonly answer: unknown }
  | { readonly job: number; readonly error: string; readonly status: number | undefined };

/** The service refused, or the file could not be read; `status` is that of HTTP where there was one. */
export class RasterFailure extends Error {
  readonly status: number | undefined;
  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}
