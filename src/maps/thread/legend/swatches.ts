import type { Rgba } from '../../style/colour-map.ts';
import { blend, type Box, type Canvas, fill, outline } from './canvas.ts';

const hairline: Rgba = [0, 0, 0, 90];
const strike: Rgba = [0, 0, 0, 120];
const white: Rgba = [255, 255, 255, 255];
const chequer: Rgba = [221, 224, 222, 255];
/** Pixels of a plain screen. */
const [chequerSide, lineWidth] = [4, 4] as const;

/** Draws the sign of a class into a box: an area, a line or a point in its colour. */
export function drawSign(canvas: Canvas, box: Box, { colour, sign }: Sign): void {
  switch (sign) {
    case 'line': {
      const height = lineWidth * canvas.scale;
      fill(canvas, { ...box, y: box.y + Math.floor((box.height - height) / 2), height }, colour);
      return;
    }
    case 'point':
      drawDisc(canvas, box, colour);
      return;
    default:
      drawGround(canvas, box, colour[3] < 255);
      fill(canvas, box, colour);
      outline(canvas, box, hairline);
  }
}

interface Sign {
  readonly colour: Rgba;
  readonly sign: 'area' | 'line' | 'point';
}

/** Draws what shows through a colour that is not opaque: light chequers, else white. */
export function drawGround(canvas: Canvas, box: Box, isSeenThrough: boolean): void {
  fill(canvas, box, white);
  if (!isSeenThrough) return;
  const side = chequerSide * canvas.scale;
  for (let y = 0; y < box.height; y += side) {
    for (let x = (y / side) % 2 === 0 ? 0 : side; x < box.width; x += 2 * side) {
      const [width, height] = [Math.min(side, box.width - x), Math.min(side, box.height - y)];
      fill(canvas, { x: box.x + x, y: box.y + y, width, height }, chequer);
    }
  }
}

/** Draws an empty box that is struck through. */
export function drawNoData(canvas: Canvas, box: Box): void {
  fill(canvas, box, white);
  const [width, height] = [box.width - 1, box.height - 1];
  const length = Math.hypot(width, height);
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const distance = Math.abs(x * height - (height - y) * width) / length;
      const cover = Math.min(1, Math.max(0, 0.5 + canvas.scale / 2 - distance));
      blend(canvas, box.x + x, box.y + y, { colour: strike, cover });
    }
  }
  outline(canvas, box, hairline);
}

/** Draws the edge of a box that colours fill. */
export function drawEdge(canvas: Canvas, box: Box): void {
  outline(canvas, box, hairline);
}

function drawDisc(canvas: Canvas, box: Box, colour: Rgba): void {
  const [middleX, middleY] = [box.width / 2, box.height / 2];
  const radius = Math.min(middleX, middleY) - 1;
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const distance = Math.hypot(x + 0.5 - middleX, y + 0.5 - middleY);
      const inside = (edge: number) => Math.min(1, Math.max(0, edge - distance + 0.5));
      blend(canvas, box.x + x, box.y + y, { colour, cover: inside(radius) });
      blend(canvas, box.x + x, box.y + y, { colour: hairline, cover: inside(radius) - inside(radius - 1) });
    }
  }
}
