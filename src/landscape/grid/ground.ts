import { z } from 'zod';

/**
 * What the coordinates of a CRS measure: degrees on WGS 84 or another ellipsoid, metres that EPSG:3857 stretches by
 * 1 / cos(latitude), or lengths.
 */
const GridCrs = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('geographic'), degreesPerUnit: z.number() }),
  z.object({ kind: z.literal('web-mercator') }),
  z.object({ kind: z.literal('projected'), metresPerUnit: z.number() }),
]);

/** The grid of a run: that of its elevation raster. North-up; `left` and `top` are the outer corner. */
export const ReferenceGrid = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  left: z.number(),
  top: z.number(),
  /** Pixel size in the units of the CRS, both positive. */
  resX: z.number().positive(),
  resY: z.number().positive(),
  crs: GridCrs,
  wkt: z.string(),
});
export type ReferenceGrid = z.infer<typeof ReferenceGrid>;

/** Size of a pixel on the ground, metres. */
export interface GroundSize {
  readonly dx: number;
  readonly dy: number;
}

/** Columns and rows that make up one kilometre on the ground, 1 to 128. */
export interface Lags {
  readonly x: number;
  readonly y: number;
}
