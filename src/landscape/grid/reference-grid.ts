import type { Affine, RasterCrs, RasterFacts } from '../../geo/raster-reader.ts';
import type { PixelSize, Lags } from '../model/bands.ts';

/** The units of a CRS: degrees, metres of EPSG:3857, which are stretched by 1 / cos(latitude), or projected lengths. */
type GridCrs =
  | { readonly kind: 'geographic'; readonly degreesPerUnit: number }
  | { readonly kind: 'web-mercator' }
  | { readonly kind: 'projected'; readonly metresPerUnit: number };

/** The grid of a run, which is that of its elevation raster. North-up; `left` and `top` are the outer corner. */
export interface ReferenceGrid {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  /** Pixel size in the units of the CRS, both positive. */
  readonly resX: number;
  readonly resY: number;
  readonly crs: GridCrs;
  readonly wkt: string;
}

/** Tolerance at the far corner for two notations of the same grid, in pixels. */
const tolerancePixels = 1e-3;

/** Returns the grid of the elevation raster, or the reason why it cannot be the reference. */
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

/** Returns the kind of a CRS; undefined if sizes on the ground are unknown. */
function gridCrsOf({ kind, unit }: RasterCrs): ReferenceGrid['crs'] | undefined {
  if (kind === 'other') return undefined;
  if (kind === 'geographic') return { kind, degreesPerUnit: unit };
  return kind === 'projected' ? { kind, metresPerUnit: unit } : { kind };
}

/** Returns the CRS of a grid in the form of raster facts. */
export function crsOf({ crs, wkt }: ReferenceGrid): RasterCrs {
  if (crs.kind === 'geographic') return { wkt, kind: crs.kind, unit: crs.degreesPerUnit };
  return { wkt, kind: crs.kind, unit: crs.kind === 'projected' ? crs.metresPerUnit : 1 };
}

/** The offset in whole pixels from the grid to a raster. */
export interface PixelShift {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the offset from the grid to a raster in its CRS; undefined unless their pixels coincide. */
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

/** The distance between the points that terrain ruggedness compares, metres. */
const lagMetres = 1000;
const maxLag = 128;

/**
 * Returns the size on the ground of the pixels of a row, in metres, at the centre of the row. `row` is absolute, so that all tiles get
 * the same result. In degrees by the series for WGS 84; EPSG:3857 is stretched by 1 / cos(latitude).
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

/** Returns the numbers of columns and rows that are closest to one kilometre at the middle row of a grid. */
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
