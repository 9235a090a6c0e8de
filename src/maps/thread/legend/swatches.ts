import { cssOf, type Rgba } from '../../style/colour-map.ts';
import { type Box, fill, outline, type Pen, pixelOf } from '../canvas/canvas.ts';

const hairline: Rgba = [0, 0, 0, 90];
const strike: Rgba = [0, 0, 0, 120];
const white: Rgba = [255, 255, 255, 255];
const chequer: Rgba = [221, 224, 222, 255];
/** Pixels of a plain screen. */
const [chequerSide, lineWidth] = [4, 4] as const;

interface Sign {
  readonly colour: Rgba;
  readonly sign: 'area' | 'line' | 'point';
}

/** Draws the sign of a class into a box: an area, a line or a point in its colour. */
export function drawSign(pen: Pen, box: Box, { colour, sign }: Sign): void {
  switch (sign) {
    case 'line':
      return fill(pen, { ...box, y: box.y + (box.height - lineWidth) / 2, height: lineWidth }, colour);
    case 'point':
      return drawDisc(pen, box, colour);
    default:
      drawGround(pen, box, colour[3] < 255);
      fill(pen, box, colour);
      drawEdge(pen, box);
  }
}

/** Draws what shows through a colour that is not opaque: light chequers, else white. */
export function drawGround(pen: Pen, box: Box, isSeenThrough: boolean): void {
  fill(pen, box, white);
  if (!isSeenThrough) return;
  for (let y = 0; y < box.height; y += chequerSide) {
    for (let x = y % (2 * chequerSide); x < box.width; x += 2 * chequerSide) {
      const [width, height] = [Math.min(chequerSide, box.width - x), Math.min(chequerSide, box.height - y)];
      fill(pen, { x: box.x + x, y: box.y + y, width, height }, chequer);
    }
  }
}

/** Draws an empty box that is struck through. */
export function drawNoData(pen: Pen, box: Box): void {
  const { x, y, width, height } = box;
  fill(pen, box, white);
  pen.strokeStyle = cssOf(strike);
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x, y + height);
  pen.lineTo(x + width, y);
  pen.stroke();
  drawEdge(pen, box);
}

/** Draws the edge of a box that colours fill. */
export function drawEdge(pen: Pen, box: Box): void {
  outline(pen, box, hairline);
}

function drawDisc(pen: Pen, { x, y, width, height }: Box, colour: Rgba): void {
  const radius = Math.min(width, height) / 2 - 1;
  const circle = (size: number) => {
    pen.beginPath();
    pen.arc(x + width / 2, y + height / 2, size, 0, 2 * Math.PI);
  };
  circle(radius);
  pen.fillStyle = cssOf(colour);
  pen.fill();
  const side = pixelOf(pen);
  circle(radius - side / 2);
  pen.strokeStyle = cssOf(hairline);
  pen.lineWidth = side;
  pen.stroke();
}
