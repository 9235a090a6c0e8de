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
