import { cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';
import { type Box, fill, outline, type Pen, pixelOf } from '../canvas/canvas.ts';
import type { WordedLegend } from '../../../../common/maps/legend/model.ts';
import { type Block, textBlock, type TextStyle } from './blocks.ts';

const hairline: Rgba = [0, 0, 0, 90];
const strike: Rgba = [0, 0, 0, 120];
const white: Rgba = [255, 255, 255, 255];
const chequer: Rgba = [221, 224, 222, 255];
/** In pixels at scale 1. */
const [chequerSide, lineWidth] = [4, 4] as const;

interface Sign {
  readonly colour: Rgba;
  readonly sign: 'area' | 'line' | 'point';
}

/** Draws the symbol of a class into a box: an area, a line or a point in its colour. */
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

/** Draws the background of a colour: light chequers if it is not opaque, otherwise white. */
function drawGround(pen: Pen, box: Box, isSeenThrough: boolean): void {
  fill(pen, box, white);
  if (!isSeenThrough) return;
  for (let y = 0; y < box.height; y += chequerSide) {
    for (let x = y % (2 * chequerSide); x < box.width; x += 2 * chequerSide) {
      const [width, height] = [Math.min(chequerSide, box.width - x), Math.min(chequerSide, box.height - y)];
      fill(pen, { x: box.x + x, y: box.y + y, width, height }, chequer);
    }
  }
}

/** Draws an empty box that is crossed out. */
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

function drawEdge(pen: Pen, box: Box): void {
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

/** In pixels at scale 1. */
const [barWidth, tickLength, tickGap, lineHeight] = [22, 4, 5, 16] as const;
/** Each number has space for itself and a margin. */
const heightPerTick = 24;
const [leastHeight, greatestHeight] = [120, 288] as const;
const tickColour: Rgba = [0, 0, 0, 110];

type Ramp = Extract<WordedLegend, { kind: 'ramp' }>;

/** Creates a colour bar, the highest value at its top, with numbers on its right. */
export function rampBlock({ stops, ticks }: Ramp, style: TextStyle): Block {
  const height = Math.min(greatestHeight, Math.max(leastHeight, (ticks.length - 1) * heightPerTick));
  const labels = ticks.map(({ at, label }) => ({ at, text: textBlock(label, { ...style, maxLines: 1 }) }));
  const left = barWidth + tickLength + tickGap;
  const isSeenThrough = stops.some(({ colour }) => colour[3] < 255);
  return {
    width: left + Math.max(0, ...labels.map(({ text }) => text.width)),
    // Numbers at the ends of the bar extend half a line above and below.
    height: height + lineHeight,
    draw: (pen, x, y) => {
      const bar = { x, y: y + lineHeight / 2, width: barWidth, height };
      drawGround(pen, bar, isSeenThrough);
      drawColours(pen, bar, stops);
      drawEdge(pen, bar);
      const side = pixelOf(pen);
      for (const { at, text } of labels) {
        const middle = bar.y + side * Math.round((1 - shareOf(at)) * (height / side - 1));
        fill(pen, { x: x + barWidth, y: middle, width: tickLength, height: side }, tickColour);
        text.draw(pen, x + left, Math.round(middle) - lineHeight / 2);
      }
    },
  };
}

function drawColours(pen: Pen, { x, y, width, height }: Box, stops: Ramp['stops']): void {
  const colours = pen.createLinearGradient(0, y + height, 0, y);
  for (const { at, colour } of stops) colours.addColorStop(shareOf(at), cssOf(colour));
  pen.fillStyle = colours;
  pen.fillRect(x, y, width, height);
}

/** Returns 0 for an infinite position: stops at an infinite distance have no share. */
const shareOf = (at: number) => (Number.isFinite(at) ? Math.min(1, Math.max(0, at)) : 0);
