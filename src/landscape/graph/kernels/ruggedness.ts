import { type Elevation, floatNoData } from '../../model/bands.ts';
import type { Lags } from '../../model/bands.ts';
import type { Tile } from '../../model/tiles.ts';
import { heightOr } from './neighbours.ts';

interface RuggednessContext {
  readonly tile: Tile;
  readonly lags: Lags;
}

/**
 * Terrain ruggedness index of Riley et al. (1999), metres: the root of the sum of squared differences to 8 neighbours, which
 * are taken one kilometre away, because its class limits hold for cells of that size. A neighbour outside the raster or
 * without value is taken as high as the centre.
 */
export function computeRuggedness(
  { values, window }: Elevation,
  { tile, lags }: RuggednessContext,
  ruggedness: Float32Array,
): void {
  const stride = window.width;
  const above = lags.y * stride;
  for (let y = 0; y < tile.height; y++) {
    const row = tile.y + y - window.y;
    const up = row >= lags.y;
    const down = row < window.height - lags.y;
    for (let x = 0; x < tile.width; x++) {
      const column = tile.x + x - window.x;
      const at = row * stride + column;
      const e = values[at] ?? floatNoData;
      if (e === floatNoData) {
        ruggedness[y * tile.width + x] = floatNoData;
        continue;
      }
      const left = column >= lags.x;
      const right = column < stride - lags.x;
      const a = heightOr(e, values, up && left ? at - above - lags.x : at) - e;
      const b = heightOr(e, values, up ? at - above : at) - e;
      const c = heightOr(e, values, up && right ? at - above + lags.x : at) - e;
      const d = heightOr(e, values, left ? at - lags.x : at) - e;
      const f = heightOr(e, values, right ? at + lags.x : at) - e;
      const g = heightOr(e, values, down && left ? at + above - lags.x : at) - e;
      const h = heightOr(e, values, down ? at + above : at) - e;
      const i = heightOr(e, values, down && right ? at + above + lags.x : at) - e;
      const sum = a * a + b * b + c * c + d * d + f * f + g * g + h * h + i * i;
      ruggedness[y * tile.width + x] = Math.sqrt(sum);
    }
  }
}
