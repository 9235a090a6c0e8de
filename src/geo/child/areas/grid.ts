import type { Dataset } from 'gdal-async';
import gdal from 'gdal-async';
import { areaProblems } from '../../../messages/areas/english.ts';
import { type Georeference, readGeoreference } from '../raster/image/georeference.ts';

/** Common grid of several rasters, and the first of them. */
export type SharedGrid = Georeference & { readonly wkt: string; readonly first: Dataset };

/** Tolerance in pixels for the far corner of another raster, because of truncated digits. */
const roundingPixels = 1e-3;

/** @throws {Problem} if rasters differ in their grid, or are not on the earth. */
export function openGrid(sources: readonly Dataset[]): SharedGrid {
  const [first, ...others] = sources;
  if (first === undefined) throw new Error('there is no raster to count');
  const grid = readGeoreference(first);
  const { wkt } = grid;
  if (wkt === undefined || first.bands.count() === 0) throw areaProblems.notOnEarth();
  if (!others.every((other) => isSameGrid({ ...grid, wkt }, readGeoreference(other))))
    throw areaProblems.otherGrid();
  return { ...grid, wkt, first };
}

function isSameGrid(one: Georeference & { readonly wkt: string }, other: Georeference): boolean {
  const { width, height } = one;
  if (other.wkt === undefined || width !== other.width || height !== other.height) return false;
  const [x0, a, b, y0, c, d] = one.affine;
  const [u0, e, f, v0, g, h] = other.affine;
  const pixel = Math.sqrt(Math.abs(a * d - b * c));
  const isNear = (dx: number, dy: number) => Math.hypot(dx, dy) <= roundingPixels * pixel;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
  ] as const;
  return (
    corners.every(([column, row]) =>
      isNear(x0 - u0 + (a - e) * column + (b - f) * row, y0 - v0 + (c - g) * column + (d - h) * row),
    ) &&
    (one.wkt === other.wkt ||
      gdal.SpatialReference.fromWKT(one.wkt).isSame(gdal.SpatialReference.fromWKT(other.wkt)))
  );
}
