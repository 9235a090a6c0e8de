import { type CleanPixels, pixelState } from './clean-pixels.ts';
import type { Tile } from '../model/tiles.ts';
import type { Affine } from '../../geo/raster-reader.ts';
import type { Coordinates } from './transform-block.ts';
import { type Band, classNoData, floatNoData } from '../model/bands.ts';

/** Source pixels, and the pixels of a tile to fill. */
export interface Sampling {
  readonly positions: Positions;
  /** The pixels of the source that `pixels` holds. */
  readonly window: Tile;
  readonly pixels: CleanPixels;
  /** The size of the source; the edge pixels are extended beyond it. */
  readonly size: { readonly width: number; readonly height: number };
  /** The part of the tile to fill, relative to the corner of the tile. */
  readonly part: Tile;
  readonly tileWidth: number;
}

/** Fills a part of a tile with the classes of the source pixels that contain the pixel centres. */
export function sampleNearest(
  { positions, window, pixels, part, tileWidth }: Sampling,
  out: Uint8Array,
): void {
  const { columns, rows } = positions;
  const { values, states } = pixels;
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = columns[i] ?? Number.NaN;
      if (Number.isNaN(column)) continue;
      const at = (Math.floor(rows[i] ?? 0) - window.y) * window.width + Math.floor(column) - window.x;
      if (states[at] === pixelState.valid) out[i] = values[at] ?? 0;
    }
  }
}

/**
 * Fills a part of a tile by bilinear interpolation between four pixel centres. Invalid pixels are ignored; there is no value if they
 * have more than half of the weight.
 */
export function sampleBilinear(sampling: Sampling, out: Float32Array): void {
  const { window, size, part, tileWidth } = sampling;
  const { columns, rows } = sampling.positions;
  const { values, states } = sampling.pixels;
  const lastColumn = size.width - 1;
  const lastRow = size.height - 1;
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = (columns[i] ?? Number.NaN) - 0.5;
      if (Number.isNaN(column)) continue;
      const row = (rows[i] ?? 0) - 0.5;
      const left = Math.floor(column);
      const top = Math.floor(row);
      const a = column - left;
      const b = row - top;
      const x0 = Math.max(left, 0) - window.x;
      const x1 = Math.min(left + 1, lastColumn) - window.x;
      const y0 = (Math.max(top, 0) - window.y) * window.width;
      const y1 = (Math.min(top + 1, lastRow) - window.y) * window.width;
      const w00 = states[y0 + x0] === pixelState.valid ? (1 - b) * (1 - a) : 0;
      const w01 = states[y0 + x1] === pixelState.valid ? (1 - b) * a : 0;
      const w10 = states[y1 + x0] === pixelState.valid ? b * (1 - a) : 0;
      const w11 = states[y1 + x1] === pixelState.valid ? b * a : 0;
      const weight = w00 + w01 + w10 + w11;
      if (weight < 0.5) continue;
      out[i] =
        (weighted(w00, values[y0 + x0]) +
          weighted(w01, values[y0 + x1]) +
          weighted(w10, values[y1 + x0]) +
          weighted(w11, values[y1 + x1])) /
        weight;
    }
  }
}

/** Returns a weighted value. Values with weight 0 may be NaN or infinite. */
function weighted(weight: number, value = 0): number {
  return weight === 0 ? 0 : weight * value;
}

/** Positions of the pixels of a tile on a raster, in columns and rows relative to pixel corners; `columns` is NaN outside of the raster. */
export interface Positions {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

interface PlacedRaster {
  readonly width: number;
  readonly height: number;
  readonly affine: Affine;
}

/** Converts coordinates to columns and rows of a raster, which may be rotated. */
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
    // The direct formula for unrotated rasters has a smaller rounding error.
    const column = isStraight ? x / a : (x * d - y * b) / determinant;
    const row = isStraight ? y / d : (y * a - x * c) / determinant;
    const isCovered = column >= 0 && column < width && row >= 0 && row < height;
    columns[i] = isCovered ? column : Number.NaN;
    rows[i] = row;
  }
  return { columns, rows };
}

/**
 * Returns the window of a raster around the positions of a part of a tile, including the pixels for interpolation; undefined if all
 * positions are outside. `part` is relative to the corner of the tile, whose width is `tileWidth`.
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

/** Counts for a source on the tiles of a batch, in pixels of the grid without halos. */
export interface SourceCounts {
  /** Pixels whose centre lies within the source. */
  readonly covered: number;
  /** Pixels that received a value. */
  readonly valid: number;
  /** Pixels whose centre lies on a source pixel with a value out of range or an unknown class. */
  readonly invalid: number;
}

/** Counts the pixels of a part of a tile that the source covers, and their values. */
export function countSampled(
  { positions, window, pixels, part, tileWidth }: Sampling,
  values: Float32Array | Uint8Array,
  band: Band,
): SourceCounts {
  const { columns, rows } = positions;
  const noData = band.type === 'uint8' ? classNoData : floatNoData;
  let [covered, valid, invalid] = [0, 0, 0];
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = columns[i] ?? Number.NaN;
      if (Number.isNaN(column)) continue;
      covered += 1;
      if (values[i] !== noData) valid += 1;
      const at = (Math.floor(rows[i] ?? 0) - window.y) * window.width + Math.floor(column) - window.x;
      if (pixels.states[at] === pixelState.invalid) invalid += 1;
    }
  }
  return { covered, valid, invalid };
}

/** Adds the counts of a source on other tiles. */
export function addCounts(before: SourceCounts | undefined, more: SourceCounts): SourceCounts {
  const { covered = 0, valid = 0, invalid = 0 } = before ?? {};
  return {
    covered: covered + more.covered,
    valid: valid + more.valid,
    invalid: invalid + more.invalid,
  };
}
