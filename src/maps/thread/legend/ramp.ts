import { mix, type Rgba } from '../../style/colour-map.ts';
import type { WordedLegend, WordedTick } from '../../legend/picture.ts';
import { type Block, textBlock, type TextStyle } from './blocks.ts';
import { type Canvas, fill } from './canvas.ts';
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
  const labels = ticks.map((tick) => ({ tick, text: textBlock(tick.label, { ...style, maxLines: 1 }) }));
  const left = barWidth + tickLength + tickGap;
  const isSeenThrough = stops.some(({ colour }) => colour[3] < 255);
  return {
    width: left + Math.max(0, ...labels.map(({ text }) => text.width)),
    // Half a line stands above the bar and half below, where a number stands at its ends.
    height: height + lineHeight,
    draw: (canvas, x, y) => {
      const { scale } = canvas;
      const bar = {
        x: x * scale,
        y: (y + lineHeight / 2) * scale,
        width: barWidth * scale,
        height: height * scale,
      };
      drawGround(canvas, bar, isSeenThrough);
      for (let row = 0; row < bar.height; row += 1) {
        const colour = colourAt(stops, 1 - row / (bar.height - 1));
        fill(canvas, { ...bar, y: bar.y + row, height: 1 }, colour);
      }
      drawEdge(canvas, bar);
      for (const { tick, text } of labels) {
        const middle = placeOf(tick, bar);
        drawTick(canvas, bar.x + bar.width, middle);
        text.draw(canvas, x + left, Math.round(middle / scale) - lineHeight / 2);
      }
    },
  };
}

function placeOf({ at }: WordedTick, bar: { readonly y: number; readonly height: number }): number {
  return bar.y + Math.round((1 - at) * (bar.height - 1));
}

function drawTick(canvas: Canvas, x: number, y: number): void {
  fill(canvas, { x, y, width: tickLength * canvas.scale, height: 1 }, tickColour);
}

/** The colour at a share of the ramp's length. */
function colourAt(stops: Ramp['stops'], at: number): Rgba {
  const above = stops.findIndex((stop) => stop.at >= at);
  const high = stops[above === -1 ? stops.length - 1 : above];
  const low = stops[above - 1];
  if (high === undefined) return [255, 255, 255, 0];
  if (low === undefined || above === -1) return high.colour;
  return mix(low.colour, high.colour, high.at === low.at ? 1 : (at - low.at) / (high.at - low.at));
}
