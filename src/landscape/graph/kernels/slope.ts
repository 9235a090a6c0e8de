import { type Elevation, floatNoData } from '../../model/bands.ts';
import type { PixelSize } from '../../model/bands.ts';
import type { Tile } from '../../model/tiles.ts';
import { heightOr } from './neighbours.ts';

interface SlopeContext {
  readonly tile: Tile;
  pixelSize(row: number): PixelSize;
}

/**
 * Slope, percent, from elevation in metres: `100 √(gx² + gy²)` with the gradients of Horn (1981), as in gdaldem. A
 * neighbour outside the raster or without value is taken as high as the centre.
 */
export function computeSlope(
  { values, window }: Elevation,
  { tile, pixelSize }: SlopeContext,
  slope: Float32Array,
): void {
  const stride = window.width;
  for (let y = 0; y < tile.height; y++) {
    const { dx, dy } = pixelSize(tile.y + y);
    const row = tile.y + y - window.y;
    const up = row > 0;
    const down = row < window.height - 1;
    for (let x = 0; x < tile.width; x++) {
      const column = tile.x + x - window.x;
      const at = row * stride + column;
      const e = values[at] ?? floatNoData;
      if (e === floatNoData) {
        slope[y * tile.width + x] = floatNoData;
        continue;
      }
      const left = column > 0;
      const right = column < stride - 1;
      const a = heightOr(e, values, up && left ? at - stride - 1 : at);
      const b = heightOr(e, values, up ? at - stride : at);
      const c = heightOr(e, values, up && right ? at - stride + 1 : at);
      const d = heightOr(e, values, left ? at - 1 : at);
      const f = heightOr(e, values, right ? at + 1 : at);
      const g = heightOr(e, values, down && left ? at + stride - 1 : at);
      const h = heightOr(e, values, down ? at + stride : at);
      const i = heightOr(e, values, down && right ? at + stride + 1 : at);
      const gx = (c + 2 * f + i - (a + 2 * d + g)) / (8 * dx);
      const gy = (g + 2 * h + i - (a + 2 * b + c)) / (8 * dy);
      slope[y * tile.width + x] = 100 * Math.sqrt(gx * gx + gy * gy);
    }
  }
}
