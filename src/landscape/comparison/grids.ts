import type { RasterGrid } from '../../maps/service/raster-pairs.ts';
import type { GridDifference } from '../../messages/zoning/english.ts';

/** Tolerance at the far corner for two notations of the same grid, in pixels. */
const tolerancePixels = 1e-3;

/** Lists the differences between two grids; empty when their pixels coincide. */
export function gridDifferences(a: RasterGrid, b: RasterGrid): readonly GridDifference[] {
  const isNear = (one: number, other: number, within: number) => Math.abs(one - other) <= within;
  const [nearX, nearY] = [tolerancePixels * a.resX, tolerancePixels * a.resY];
  const hasSameCrs = a.crs === b.crs;
  const hasSameOrigin = isNear(a.left, b.left, nearX) && isNear(a.top, b.top, nearY);
  const hasSamePixels = isNear(a.resX, b.resX, nearX / a.width) && isNear(a.resY, b.resY, nearY / a.height);
  const hasSameSize = a.width === b.width && a.height === b.height;
  const differences: readonly (GridDifference | false)[] = [
    !hasSameCrs && { of: 'crs', a: a.crsName, b: b.crsName },
    !hasSameOrigin && { of: 'origin', a: [a.left, a.top], b: [b.left, b.top] },
    !hasSamePixels && { of: 'pixel_size', a: [a.resX, a.resY], b: [b.resX, b.resY] },
    !hasSameSize && { of: 'size', a: [a.width, a.height], b: [b.width, b.height] },
  ];
  return differences.filter((difference) => difference !== false);
}
