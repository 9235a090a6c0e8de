import { floatNoData, heightOr } from '../../model/bands.ts';
import { browns, ramp } from '../../model/palettes.ts';
import { terrainNode } from '../../model/node.ts';

export const slope = terrainNode({
  name: '01-slope',
  title: 'Slope, percent',
  unit: 'percent',
  formula:
    '`100 √(gx² + gy²)` with the gradients of Horn over the eight neighbours a b c, d . f, g h i: ' +
    '`gx = ((c + 2f + i) − (a + 2d + g)) / 8 dx`, `gy = ((g + 2h + i) − (a + 2b + c)) / 8 dy`, where dx and dy are the ' +
    'metres that a pixel measures on the ground. A neighbour outside the raster or without a value is as high as the centre.',
  source: 'Horn (1981), as in gdaldem.',
  reading:
    'High values mean steep ground, low values level ground: at 100 percent the ground rises by a metre on each metre. ' +
    'A value is the mean around its pixel: do not use the map for a bank, a terrace or a building plot that is smaller than that.',
  halo: 'pixel',
  legend: ramp([0, 15, 30, 45, 60], browns, ' %'),
  compute({ values, window }, { tile, pixelSize }, output) {
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
          output[y * tile.width + x] = floatNoData;
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
        output[y * tile.width + x] = 100 * Math.sqrt(gx * gx + gy * gy);
      }
    }
  },
});

export const ruggedness = terrainNode({
  name: '02-ruggedness',
  title: 'Terrain ruggedness, m',
  unit: 'm',
  formula:
    '`√(Σ (zₖ − z)²)` over the eight neighbours that are one kilometre away, in whole pixels at the middle row of the ' +
    'grid, from 1 to 128. A neighbour outside the raster or without a value is as high as the centre.',
  source:
    'Riley et al. (1999). Its class limits apply to cells of about one kilometre, hence the distance, which is our own choice.',
  reading:
    'High values mean broken, mountainous country, low values plains: the number combines the differences between the height of the place and the heights one kilometre away. It describes the surroundings and not the ground itself: for steepness or erosion, use the slope.',
  halo: 'lag',
  legend: ramp([0, 240, 480, 720, 960], browns, ' m'),
  compute({ values, window }, { tile, lags }, output) {
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
          output[y * tile.width + x] = floatNoData;
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
        output[y * tile.width + x] = Math.sqrt(a * a + b * b + c * c + d * d + f * f + g * g + h * h + i * i);
      }
    }
  },
});
