import { type Band, classNoData, floatNoData } from '../bands.ts';
import { type CleanPixels, pixelState } from './clean-pixels.ts';
import type { Positions } from './positions.ts';
import type { Tile } from './tiles.ts';

/** Pixels of the grid whose centre lies within a source, and those of them whose source pixel is invalid. */
export interface SeenPixels {
  readonly covered: number;
  readonly invalid: number;
}

/** What the pixels of a part of a tile lie on; `window` is what of the source `pixels` holds. */
export function countSeen(sampling: {
  readonly positions: Positions;
  readonly window: Tile;
  readonly pixels: CleanPixels;
  readonly part: Tile;
  readonly tileWidth: number;
}): SeenPixels {
  const { window, part, tileWidth } = sampling;
  const { columns, rows } = sampling.positions;
  const { states } = sampling.pixels;
  let [covered, invalid] = [0, 0];
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const end = y * tileWidth + part.x + part.width;
    for (let i = y * tileWidth + part.x; i < end; i += 1) {
      const column = columns[i] ?? Number.NaN;
      if (Number.isNaN(column)) continue;
      covered += 1;
      const at = (Math.floor(rows[i] ?? 0) - window.y) * window.width + Math.floor(column) - window.x;
      if (states[at] === pixelState.invalid) invalid += 1;
    }
  }
  return { covered, invalid };
}

/** How many of the pixels of a band have a value. */
export function countValid(values: Float32Array | Uint8Array, band: Band): number {
  if (band.type === 'uint8' && band.zeroWhereMissing === true) return values.length;
  const noData = band.type === 'uint8' ? classNoData : floatNoData;
  let valid = 0;
  for (const value of values) if (value !== noData) valid += 1;
  return valid;
}
