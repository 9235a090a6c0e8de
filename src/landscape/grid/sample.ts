import { type CleanPixels, pixelState } from './clean-pixels.ts';
import type { Positions } from './positions.ts';
import type { Tile } from '../model/tiles.ts';

/** The source of values, and the pixels of a tile that they go to. */
export interface Sampling {
  readonly positions: Positions;
  /** The pixels of the source that `pixels` holds. */
  readonly window: Tile;
  readonly pixels: CleanPixels;
  /** The size of the source: beyond its edge the pixel at the edge goes on. */
  readonly size: { readonly width: number; readonly height: number };
  /** The part of the tile to fill, counted from the corner of the tile. */
  readonly part: Tile;
  readonly tileWidth: number;
}

/** Fills a part of a tile with the classes of the source pixels that its pixel centres lie in. */
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
 * Fills a part of a tile by interpolating between the four pixel centres around a point. Those without a valid value are
 * left out; there is no value when they would have had more than half of the weight.
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

/** A value without weight may be NaN or infinite. */
function weighted(weight: number, value = 0): number {
  return weight === 0 ? 0 : weight * value;
}
