import type { OpenRaster, PointTransformation } from '../../geo/raster-reader.ts';
import type { Tile } from '../model/tiles.ts';
import type { PixelShift, ReferenceGrid } from './reference-grid.ts';

/** Distance between the sampled points, in pixels of the grid. */
const step = 64;
/** Margin in pixels, because interpolation uses neighbouring pixels. */
const aroundPixels = 2;

interface PlacedSource {
  readonly raster: Pick<OpenRaster, 'facts'>;
  /** Present when the pixels of the source coincide with those of the grid. */
  readonly shift: PixelShift | undefined;
  /** From the CRS of the grid to that of the source; absent if they are the same. */
  readonly transform: PointTransformation | undefined;
}

/**
 * Returns a rectangle of source pixels that a window of the grid needs; undefined if it needs none. It has a margin for the curvature
 * between the sampled points, as large as their distance.
 */
export function windowOn(
  grid: ReferenceGrid,
  window: Tile,
  { raster, shift, transform }: PlacedSource,
): Tile | undefined {
  const { width, height, affine } = raster.facts;
  if (shift !== undefined) {
    const [x, y] = [window.x + shift.columns, window.y + shift.rows];
    return cut([x, x + window.width], [y, y + window.height], { width, height });
  }
  if (affine === undefined) throw new Error('the source is placed nowhere');
  const columns = pointsOf(window.x, window.width);
  const rows = pointsOf(window.y, window.height);
  const xs = new Float64Array(columns.length * rows.length);
  const ys = new Float64Array(xs.length);
  for (const [j, row] of rows.entries()) {
    for (const [i, column] of columns.entries()) {
      xs[j * columns.length + i] = grid.left + column * grid.resX;
      ys[j * columns.length + i] = grid.top - row * grid.resY;
    }
  }
  transform?.(xs, ys);
  const [left, a, b, top, c, d] = affine;
  const determinant = a * d - b * c;
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < xs.length; i += 1) {
    const x = (xs[i] ?? Number.NaN) - left;
    const y = (ys[i] ?? Number.NaN) - top;
    const column = (x * d - y * b) / determinant;
    const row = (y * a - x * c) / determinant;
    if (Number.isNaN(column) || Number.isNaN(row)) continue;
    west = Math.min(west, column);
    east = Math.max(east, column);
    north = Math.min(north, row);
    south = Math.max(south, row);
  }
  if (west > east) return undefined;
  const most = Math.min(columns.length, rows.length) - 1;
  const around = aroundPixels + Math.max(east - west, south - north) / most;
  return cut([west - around, east + around], [north - around, south + around], { width, height });
}

/** Returns the positions of both edges, and of points in between. */
function pointsOf(start: number, length: number): readonly number[] {
  const steps = Math.ceil(length / step);
  return Array.from({ length: steps + 1 }, (_, index) => start + Math.min(length, index * step));
}

function cut(
  [west, east]: readonly [number, number],
  [north, south]: readonly [number, number],
  { width, height }: { readonly width: number; readonly height: number },
): Tile | undefined {
  const x = Math.max(0, Math.floor(west));
  const y = Math.max(0, Math.floor(north));
  const right = Math.min(width, Math.ceil(east));
  const bottom = Math.min(height, Math.ceil(south));
  return x < right && y < bottom ? { x, y, width: right - x, height: bottom - y } : undefined;
}
