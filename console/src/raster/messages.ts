import type { Affine } from '../../../src/portrayal/raster/affine.ts';
import type { Lattice } from '../../../src/portrayal/raster/lattice.ts';
import type { Paint, RasterFacts } from '../../../src/portrayal/raster/paint.ts';

export interface OpenRequest {
  /** Absolute address of the COG. */
  readonly url: string;
}

export interface OpenedRaster extends RasterFacts {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine | undefined;
  /** EPSG code of the file's own keys. */
  readonly epsg: number | undefined;
}

export interface TileRequest {
  readonly url: string;
  /** Where the tile lies in the raster; whoever asks has projected it, so that the worker goes without projections. */
  readonly lattice: Lattice;
  /** Pixels along a side, a multiple of 8. */
  readonly size: number;
  readonly paint: Paint;
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
  /** The value of each band of a pixel; NaN is no data, undefined outside. */
  readonly peek: (request: PixelRequest) => Promise<readonly number[] | undefined>;
  readonly close: (url: string) => Promise<void>;
}

/** From the page to the worker. */
export type Question =
  | { readonly job: number; readonly kind: 'open'; readonly request: OpenRequest }
  | { readonly job: number; readonly kind: 'tile'; readonly request: TileRequest }
  | { readonly job: number; readonly kind: 'peek'; readonly request: PixelRequest }
  | { readonly job: number; readonly kind: 'close'; readonly request: string }
  | { readonly job: number; readonly kind: 'authorize'; readonly request: string | undefined };

/** From the worker to the page; `status` is that of HTTP when the service refused. */
export type Reply =
  | { readonly job: number; readonly answer: unknown }
  | { readonly job: number; readonly error: string; readonly status: number | undefined };
