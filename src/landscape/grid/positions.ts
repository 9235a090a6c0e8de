import type { Affine } from '../../geo/raster-reader.ts';
import type { Tile } from '../model/tiles.ts';
import type { Coordinates } from './transform-block.ts';

/** Positions of a tile's pixels on a raster, in columns and rows at pixel corners; `columns` is NaN outside of it. */
export interface Positions {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

interface PlacedRaster {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
}

/** Leads coordinates back to the columns and rows of a raster, which may be rotated. */
export function positionsOn(
  { width, height, affine }: PlacedRaster,
  { xs, ys }: Coordinates,
  make: (length: number) => Positions,
): Positions {
  const [left, a, b, top, c, d] = affine;
  const isStraight = b === 0 && c === 0;
  const determinant = a * d - b * c;
  const { columns, rows } = make(xs.length);
  for (let i = 0; i < xs.length; i += 1) {
    const x = (xs[i] ?? 0) - left;
    const y = (ys[i] ?? 0) - top;
    // By the shorter way where there is one: it rounds less.
    const column = isStraight ? x / a : (x * d - y * b) / determinant;
    const row = isStraight ? y / d : (y * a - x * c) / determinant;
    const isCovered = column >= 0 && column < width && row >= 0 && row < height;
    columns[i] = isCovered ? column : Number.NaN;
    rows[i] = row;
  }
  return { columns, rows };
}

/**
 * The pixels of a raster around the positions of a part of a tile, with those that interpolation looks at; absent when
 * all lie outside. `part` counts from the corner of the tile, which is `tileWidth` wide.
 */
export function windowAround(
  { columns, rows }: Positions,
  part: Tile,
  tileWidth: number,
  raster: { readonly width: number; readonly height: number },
): Tile | undefined {
  let [west, east, north, south] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = columns[i] ?? Number.NaN;
      if (Number.isNaN(column)) continue;
      const row = rows[i] ?? 0;
      if (column < west) west = column;
      if (column > east) east = column;
      if (row < north) north = row;
      if (row > south) south = row;
    }
  }
  if (west > east) return undefined;
  const x = Math.max(0, Math.floor(west - 0.5));
  const y = Math.max(0, Math.floor(north - 0.5));
  const right = Math.min(raster.width, Math.floor(east - 0.5) + 2);
  const bottom = Math.min(raster.height, Math.floor(south - 0.5) + 2);
  return { x, y, width: right - x, height: bottom - y };
}
