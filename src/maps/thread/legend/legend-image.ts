import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import type { LegendPicture, WordedEntry } from '../../../../common/maps/legend/model.ts';
import { type Box, fill, openCanvas, type Pen, takePicture, encodeLetters } from '../canvas/canvas.ts';
import { type Block, gap, sideBySide, stacked, textBlock, type TextStyle } from './blocks.ts';
import { rampBlock, drawNoData, drawSign } from './swatches.ts';

const white: Rgba = [255, 255, 255, 255];
const ink: Rgba = [24, 33, 29, 255];
/** The colour of warnings on the page. */
const alarm: Rgba = [166, 42, 30, 255];
const faint: Rgba = [91, 102, 96, 255];
/** In pixels at scale 1. */
const [padding, maxTextWidth, leastWidth] = [8, 320, 96] as const;
const swatch = { width: 22, height: 14, gap: 8 } as const;
const rowGap = 4;
const columnGap = 20;
const maxTitleLines = 4;
const maxWarningLines = 8;
const maxLabelLines = 4;
/** Maximum number of classes per column; more classes form columns of equal length. */
const maxRows = 25;

/** Draws a legend as a PNG on white. The caller limits the number of classes. */
export function drawLegend(picture: LegendPicture): Uint8Array<ArrayBuffer> {
  const legend = stacked([...headBlocks(picture), ...bodyBlocks(picture)]);
  const width = Math.max(leastWidth, legend.width) + 2 * padding;
  const height = legend.height + 2 * padding;
  const pen = openCanvas({ width, height, scale: picture.scale });
  fill(pen, { x: 0, y: 0, width, height }, white);
  legend.draw(pen, padding, padding);
  return encodeLetters(takePicture(pen));
}

function headBlocks({ title, unit, warning }: LegendPicture): readonly Block[] {
  const room = { width: maxTextWidth };
  return [
    textBlock(title, { ...room, role: 'title', colour: ink, maxLines: maxTitleLines }),
    ...(unit === null || unit === ''
      ? []
      : [gap(1), textBlock(unit, { ...room, role: 'text', colour: faint, maxLines: 2 })]),
    ...(warning === null
      ? []
      : [gap(4), textBlock(warning, { ...room, role: 'text', colour: alarm, maxLines: maxWarningLines })]),
    gap(8),
  ];
}

function bodyBlocks({ legend, noDataLabel, moreLabel }: LegendPicture): readonly Block[] {
  const style: TextStyle = {
    role: 'text',
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

const signOf = (entry: WordedEntry) => (pen: Pen, box: Box) => drawSign(pen, box, entry);

/** Creates a swatch with its label; the swatch is beside the first line. */
function row(draw: (pen: Pen, box: Box) => void, label: string, style: TextStyle): Block {
  const text = textBlock(label, style);
  const left = swatch.width + swatch.gap;
  return {
    width: left + text.width,
    height: text.height,
    draw: (pen, x, y) => {
      draw(pen, { x, y: y + 1, width: swatch.width, height: swatch.height });
      text.draw(pen, x + left, y);
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

/** Inserts space between blocks. */
function apart(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block, index) => (index === 0 ? [block] : [gap(rowGap), block]));
}
