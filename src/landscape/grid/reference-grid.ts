import { z } from 'zod';
import type { Affine, RasterCrs, RasterFacts } from '../../geo/raster-reader.ts';
import type { PixelSize, Lags } from '../model/bands.ts';

/** The measure of a CRS: degrees, metres that EPSG:3857 stretches by 1 / cos(latitude), or lengths. */
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

/** The tolerance at the far corner between two spellings of the same grid, in pixels. */
const tolerancePixels = 1e-3;

/** The grid of the elevation raster, or why it can be no reference. */
export function referenceGridOf(facts: RasterFacts): ReferenceGrid | 'no_crs' | 'not_north_up' {
  const { width, height, affine, crs } = facts;
  const gridCrs = crs === undefined ? undefined : gridCrsOf(crs);
  if (affine === undefined || crs === undefined || gridCrs === undefined) return 'no_crs';
  const [left, resX, shearX, top, shearY, minusResY] = affine;
  if (!(resX > 0 && minusResY < 0)) return 'not_north_up';
  const isStraight =
    Math.abs(shearX) * height <= tolerancePixels * resX &&
    Math.abs(shearY) * width <= -tolerancePixels * minusResY;
  if (!isStraight) return 'not_north_up';
  return { width, height, left, top, resX, resY: -minusResY, crs: gridCrs, wkt: crs.wkt };
}

/** Sizes on the ground are known for these alone. */
function gridCrsOf({ kind, unit }: RasterCrs): ReferenceGrid['crs'] | undefined {
  if (kind === 'other') return undefined;
  if (kind === 'geographic') return { kind, degreesPerUnit: unit };
  return kind === 'projected' ? { kind, metresPerUnit: unit } : { kind };
}

/** The CRS of a grid, as rasters name theirs. */
export function crsOf({ crs, wkt }: ReferenceGrid): RasterCrs {
  if (crs.kind === 'geographic') return { wkt, kind: crs.kind, unit: crs.degreesPerUnit };
  return { wkt, kind: crs.kind, unit: crs.kind === 'projected' ? crs.metresPerUnit : 1 };
}

/** Whole pixels from a column and row of the grid to those of a raster. */
export interface PixelShift {
  readonly columns: number;
  readonly rows: number;
}

/** Finds the shift from the grid to a raster in its CRS; undefined unless their pixels coincide. */
export function pixelShift(
  grid: ReferenceGrid,
  raster: { readonly width: number; readonly height: number; readonly affine: Affine },
): PixelShift | undefined {
  const [left, resX, shearX, top, shearY, minusResY] = raster.affine;
  const shift = {
    columns: Math.round((grid.left - left) / grid.resX) + 0,
    rows: Math.round((top - grid.top) / grid.resY) + 0,
  };
  const fits = (column: number, row: number) => {
    const x = left + resX * column + shearX * row;
    const y = top + shearY * column + minusResY * row;
    const expectedX = grid.left + grid.resX * (column - shift.columns);
    const expectedY = grid.top - grid.resY * (row - shift.rows);
    return (
      Math.abs(x - expectedX) <= tolerancePixels * grid.resX &&
      Math.abs(y - expectedY) <= tolerancePixels * grid.resY
    );
  };
  const { width, height } = raster;
  return fits(0, 0) && fits(width, 0) && fits(0, height) ? shift : undefined;
}

/** Radius of the sphere of EPSG:3857, metres. */
const mercatorRadius = 6378137;

/** Distance of the points that terrain ruggedness compares, metres. */
const lagMetres = 1000;
const maxLag = 128;

/**
 * Size on the ground of the pixels of a row, metres, at the centre of the row. `row` is absolute, so that a tile finds what
 * any other would. Degrees by the series of WGS 84; EPSG:3857 stretches by 1 / cos(latitude).
 */
export function pixelSizeAt(grid: ReferenceGrid, row: number): PixelSize {
  const { crs, resX, resY } = grid;
  if (crs.kind === 'projected') return { dx: resX * crs.metresPerUnit, dy: resY * crs.metresPerUnit };
  const y = grid.top - (row + 0.5) * resY;
  if (crs.kind === 'web-mercator') {
    const scale = Math.cos(2 * Math.atan(Math.exp(y / mercatorRadius)) - Math.PI / 2);
    return { dx: resX * scale, dy: resY * scale };
  }
  const latitude = y * crs.degreesPerUnit * (Math.PI / 180);
  return {
    dx: resX * crs.degreesPerUnit * metresPerDegreeOfLongitude(latitude),
    dy: resY * crs.degreesPerUnit * metresPerDegreeOfLatitude(latitude),
  };
}

/** Columns and rows that are nearest to one kilometre at the middle row of a grid. */
export function lagsOf(grid: ReferenceGrid): Lags {
  const { dx, dy } = pixelSizeAt(grid, Math.floor(grid.height / 2));
  return { x: lagOf(dx), y: lagOf(dy) };
}

function lagOf(size: number): number {
  return Math.min(maxLag, Math.max(1, Math.floor(lagMetres / size + 0.5)));
}

function metresPerDegreeOfLatitude(f: number): number {
  return 111132.954 - 559.822 * Math.cos(2 * f) + 1.175 * Math.cos(4 * f) - 0.0023 * Math.cos(6 * f);
}

function metresPerDegreeOfLongitude(f: number): number {
  return 111412.84 * Math.cos(f) - 93.5 * Math.cos(3 * f) + 0.118 * Math.cos(5 * f);
}
