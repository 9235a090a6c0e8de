import type { Rgba } from '../../style/colour-map.ts';
import type { LegendPicture, WordedEntry } from '../../legend/picture.ts';
import { encodeCanvas } from './encode-canvas.ts';
import { type Block, gap, sideBySide, stacked, textBlock, type TextStyle } from './blocks.ts';
import { type Box, type Canvas, createCanvas } from './canvas.ts';
import { rampBlock } from './ramp.ts';
import { drawNoData, drawSign } from './swatches.ts';

const ink: Rgba = [24, 33, 29, 255];
const faint: Rgba = [91, 102, 96, 255];
/** Pixels of a plain screen. */
const [padding, maxTextWidth, leastWidth] = [8, 320, 96] as const;
const swatch = { width: 22, height: 14, gap: 8 } as const;
const rowGap = 4;
const columnGap = 20;
const maxTitleLines = 4;
const maxLabelLines = 4;
/** Classes below each other; more stand in columns of equal length. */
const maxRows = 25;

/** Draws a legend as a PNG on white. The caller bounds the number of classes. */
export function drawLegend(picture: LegendPicture): Uint8Array<ArrayBuffer> {
  const { scale } = picture;
  const legend = stacked([...headBlocks(picture), ...bodyBlocks(picture)]);
  const width = Math.max(leastWidth, legend.width) + 2 * padding;
  const height = legend.height + 2 * padding;
  const canvas = createCanvas(width * scale, height * scale, scale);
  legend.draw(canvas, padding, padding);
  return encodeCanvas(canvas);
}

function headBlocks({ title, unit, scale }: LegendPicture): readonly Block[] {
  const room = { scale, width: maxTextWidth };
  return [
    textBlock(title, { ...room, role: 'title', colour: ink, maxLines: maxTitleLines }),
    ...(unit === null || unit === ''
      ? []
      : [gap(1), textBlock(unit, { ...room, role: 'text', colour: faint, maxLines: 2 })]),
    gap(8),
  ];
}

function bodyBlocks({ legend, noDataLabel, moreLabel, scale }: LegendPicture): readonly Block[] {
  const style: TextStyle = {
    role: 'text',
    scale,
    colour: ink,
    width: maxTextWidth - swatch.width - swatch.gap,
    maxLines: maxLabelLines,
  };
  const muted = { ...style, colour: faint };
  const last: Block[] = [];
  if (moreLabel !== undefined) last.push(textBlock(moreLabel, muted));
  if (noDataLabel !== null) last.push(row(drawNoData, noDataLabel, muted));
  switch (legend.kind) {
    case 'classes': {
      const rows = legend.entries.map((entry) => row(signOf(entry), entry.label, style));
      return apart([...(rows.length === 0 ? [] : [inColumns(rows)]), ...last]);
    }
    case 'ramp':
      return [rampBlock(legend, style), gap(rowGap), ...apart(last)];
    default:
      return apart([textBlock(legend.label, { ...style, width: maxTextWidth }), ...last]);
  }
}

const signOf = (entry: WordedEntry) => (canvas: Canvas, box: Box) => drawSign(canvas, box, entry);

/** A swatch, and what it stands for; the swatch is beside the first line. */
function row(draw: (canvas: Canvas, box: Box) => void, label: string, style: TextStyle): Block {
  const text = textBlock(label, style);
  const left = swatch.width + swatch.gap;
  return {
    width: left + text.width,
    height: text.height,
    draw: (canvas, x, y) => {
      const { scale } = canvas;
      draw(canvas, {
        x: x * scale,
        y: (y + 1) * scale,
        width: swatch.width * scale,
        height: swatch.height * scale,
      });
      text.draw(canvas, x + left, y);
    },
  };
}

function inColumns(rows: readonly Block[]): Block {
  const columns = Math.ceil(rows.length / maxRows);
  const length = Math.ceil(rows.length / columns);
  const parts = Array.from({ length: columns }, (_, column) =>
    stacked(apart(rows.slice(column * length, (column + 1) * length))),
  );
  return sideBySide(parts, columnGap);
}

/** Blocks with room between them. */
function apart(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block, index) => (index === 0 ? [block] : [gap(rowGap), block]));
}
