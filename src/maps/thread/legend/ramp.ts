import { cssOf, type Rgba } from '../../style/colour-map.ts';
import type { WordedLegend } from '../../legend/picture.ts';
import { fill, type Pen, pixelOf, type Box } from '../canvas/canvas.ts';
import { type Block, textBlock, type TextStyle } from './blocks.ts';
import { drawEdge, drawGround } from './swatches.ts';

/** Pixels of a plain screen. */
const [barWidth, tickLength, tickGap, lineHeight] = [22, 4, 5, 16] as const;
/** Each number has room for itself and a little air. */
const heightPerTick = 24;
const [leastHeight, greatestHeight] = [120, 288] as const;
const tickColour: Rgba = [0, 0, 0, 110];

type Ramp = Extract<WordedLegend, { kind: 'ramp' }>;

/** A bar of colours, the highest value at its top, and numbers on its right. */
export function rampBlock({ stops, ticks }: Ramp, style: TextStyle): Block {
  const height = Math.min(greatestHeight, Math.max(leastHeight, (ticks.length - 1) * heightPerTick));
  const labels = ticks.map(({ at, label }) => ({ at, text: textBlock(label, { ...style, maxLines: 1 }) }));
  const left = barWidth + tickLength + tickGap;
  const isSeenThrough = stops.some(({ colour }) => colour[3] < 255);
  return {
    width: left + Math.max(0, ...labels.map(({ text }) => text.width)),
    // Half a line stands above the bar and half below, where a number stands at its ends.
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

/** Between stops whose distance is not a number there is no share either. */
const shareOf = (at: number) => (Number.isFinite(at) ? Math.min(1, Math.max(0, at)) : 0);
