import { encode } from 'uqr';
import type { Box, Paper } from '../../../../common/maps/paper/papers.ts';
import type { WordedEntry, WordedLegend } from '../../../../common/maps/legend/model.ts';
import type { Point } from '../../../../common/maps/paper/albers.ts';
import type {
  LegendRow,
  OtherLegend,
  SheetLegend,
  SheetPage,
  UnitTable,
} from '../../../../common/maps/paper/sheet-page.ts';
import { cssOf, type Rgba } from '../../../../common/maps/style/colour-map.ts';
import { fill, type Pen, type Role, widthOf, write } from '../canvas/canvas.ts';
import { cleanText, wrapText } from '../canvas/text.ts';
import { type Block, gap, sideBySide, stacked, textBlock, type TextStyle } from '../legend/blocks.ts';
import { rampBlock } from '../legend/swatches.ts';
import { strokeLines } from './borders.ts';
import { faint, ink } from './map.ts';
import { paintDot, pointsPerPixel } from './vectors.ts';

const between = 12;
const [swatchWidth, swatchHeight] = [13, 7.5] as const;
const [shareWidth, hectaresWidth] = [28, 46] as const;
const codeSide = 48;

const styleOf = (role: Role, width: number, maxLines: number): TextStyle => ({
  role,
  colour: role === 'small' ? faint : ink,
  width,
  maxLines,
});

/** Draws the panel beside or below the map. */
export function drawPanel(
  pen: Pen,
  page: SheetPage,
  { panel, columns }: Pick<Paper, 'panel' | 'columns'>,
): void {
  if (columns === 1) return drawColumn(pen, page, panel);
  const width = (panel.width - (columns - 1) * between) / columns;
  const wide = 2 * width + between;
  const room = panel.height - leastSources - 8;
  const notes = notesBlock(page, width);
  const facts = stacked([signaturesBlock(page, width), factsBlock(page, width)]);
  // Tables stand below the notes, with as many of their last rows as fit there.
  let free = panel.height - notes.height - facts.height - apart;
  const aside: Block[] = [];
  for (const table of page.tables) {
    const fitting = Math.floor((free - unitTableBlock({ ...table, rows: [] }, width).height) / tableRow);
    if (fitting < Math.min(leastRows, table.rows.length)) break;
    const block = unitTableBlock({ ...table, rows: table.rows.slice(-fitting) }, width);
    aside.push(block);
    free -= block.height + apart;
  }
  const others = { ...page, tables: page.tables.slice(aside.length) };
  const legend = legendsBlock(others, { width: wide, height: room, columns: 2 });
  legend.draw(pen, panel.x, panel.y);
  const below = legend.height + 8;
  sourcesBlock(page, wide, panel.height - below).draw(pen, panel.x, panel.y + below);
  const side = panel.x + wide + between;
  stacked([notes, ...aside.flatMap((block) => [gap(apart), block])]).draw(pen, side, panel.y);
  facts.draw(pen, side, panel.y + panel.height - facts.height);
}

/** Minimum height of the sources, whatever the length of the legend. */
const leastSources = 46;

function drawColumn(pen: Pen, page: SheetPage, { x, y, width, height }: Box): void {
  const facts = stacked([signaturesBlock(page, width), factsBlock(page, width)]);
  const notes = notesBlock(page, width);
  const room = height - facts.height - notes.height - leastSources - 18;
  const legend = legendsBlock(page, { width, height: room, columns: 1 });
  const upper = stacked([legend, gap(6), notes, gap(6)]);
  upper.draw(pen, x, y);
  sourcesBlock(page, width, height - upper.height - facts.height - 6).draw(pen, x, y + upper.height);
  facts.draw(pen, x, y + height - facts.height);
}

interface LegendRoom {
  readonly width: number;
  readonly height: number;
  readonly columns: 1 | 2;
}

/** Space between two legends. */
const apart = 9;

/**
 * Returns the legends of all layers, and tables below them; where they need more than the room, each has at least its share of it, and
 * what the others leave.
 */
function legendsBlock(page: SheetPage, room: LegendRoom): Block {
  const { columns } = room;
  const own = { width: (room.width - (columns - 1) * between) / columns, columns: 1 } as const;
  const tables = page.tables.map((table) => unitTableBlock(table, own.width));
  const othersIn = (height: number) => {
    const blocks = page.others.map((other) => otherBlock(other, { ...own, height }));
    return inColumns([...blocks, ...tables], own.width, columns);
  };
  const whole = legendBlock(page, { ...room, height: Infinity });
  const all = othersIn(Infinity);
  if (whole.height + all.height <= room.height) return stacked([whole, all]);
  const count = 1 + Math.ceil(page.others.length / columns);
  const others = othersIn(room.height / count - apart);
  return stacked([legendBlock(page, { ...room, height: room.height - others.height }), others]);
}

/** Stacks blocks with space above each, in columns of about the same height. */
function inColumns(blocks: readonly Block[], width: number, columns: number): Block {
  if (columns === 1) return stacked(blocks.flatMap((block) => [gap(apart), block]));
  const stacks = Array.from({ length: columns }, (): { height: number; blocks: Block[] } => ({
    height: 0,
    blocks: [],
  }));
  for (const block of blocks) {
    const lowest = stacks.reduce((one, other) => (other.height < one.height ? other : one));
    lowest.blocks.push(gap(apart), block);
    lowest.height += block.height + apart;
  }
  return sideBySide(
    stacks.map((each) => ({ ...stacked(each.blocks), width })),
    between,
  );
}

/** Height of a row of a table, and the least number of its rows beside the legend. */
const [tableRow, leastRows] = [9, 3] as const;

/** Returns the values of the unit in a table, a bar for each. */
function unitTableBlock({ title, rows }: UnitTable, own: number): Block {
  const head = textBlock(title, styleOf('strong', own, 2));
  const periods = Math.min(
    own * 0.45,
    Math.max(0, ...rows.map(({ period }) => widthOf(cleanText(period), 'body'))),
  );
  const values = Math.min(
    own * 0.3,
    Math.max(0, ...rows.map(({ value }) => widthOf(cleanText(value), 'body'))),
  );
  const longest = own - periods - values - 12;
  const lines = rows.map(({ period, value, part }): Block => ({
    width: own,
    height: tableRow,
    draw: (pen, x, y) => {
      const [left = ''] = wrapText(period, 'body', { width: periods + 1, maxLines: 1 });
      const [right = ''] = wrapText(value, 'body', { width: values + 1, maxLines: 1 });
      write(pen, left, { x, y: y + 7.2, role: 'body', colour: ink });
      write(pen, right, { x: x + own - widthOf(right, 'body'), y: y + 7.2, role: 'body', colour: ink });
      if (part !== null)
        fill(pen, { x: x + periods + 6, y: y + 2, width: longest * part, height: 5 }, barColour);
    },
  }));
  return stacked([head, gap(3), ...lines]);
}

/** Returns a legend without figures. */
function otherBlock({ title, legend }: OtherLegend, room: LegendRoom): Block {
  const head = textBlock(title, styleOf('strong', room.width, 2));
  const left = { ...room, height: room.height - head.height - 3 };
  return stacked([head, gap(3), plainBlock(legend, left)]);
}

function plainBlock(legend: WordedLegend, { width, height, columns }: LegendRoom): Block {
  if (legend.kind === 'ramp')
    return scaled(rampBlock(legend, { ...styleOf('text', 200, 1), colour: ink }), 0.62);
  if (legend.kind === 'colours') return textBlock(legend.label, styleOf('body', width, 2));
  const own = (width - (columns - 1) * between) / columns;
  const rows = legend.entries.map((entry) => signRow(entry, own));
  const fitting = countFitting(rows, height * columns - (columns === 1 ? 0 : 20));
  const shown = rows.slice(0, fitting < rows.length ? Math.max(1, fitting - 1) : fitting);
  const more =
    shown.length < rows.length
      ? [textBlock(`… +${rows.length - shown.length}`, styleOf('body', own, 1))]
      : [];
  const all = [...shown, ...more];
  const length = Math.ceil(all.length / columns);
  const parts = Array.from({ length: columns }, (_, index) =>
    stacked(all.slice(index * length, (index + 1) * length)),
  );
  return sideBySide(parts, between);
}

/** Returns a conventional sign with its name. */
function signRow(entry: WordedEntry, width: number): Block {
  const left = swatchWidth + 5;
  const text = textBlock(entry.label, styleOf('body', width - left, 3));
  return {
    width,
    height: text.height + 0.8,
    draw: (pen, x, y) => {
      drawPaperSign(pen, { x, y: y + 1.4, width: swatchWidth, height: swatchHeight }, entry);
      text.draw(pen, x + left, y);
    },
  };
}

/** Draws a sign as it is on the map: a line in its width with its dashes, an area with its outline. */
function drawPaperSign(pen: Pen, box: Box, { colour, sign, stroke, shape = 'circle' }: WordedEntry): void {
  if (sign === 'point') {
    const dot = { fill: colour, stroke, radius: swatchHeight / 2 / pointsPerPixel - 1, shape };
    return paintDot(pen, [box.x + box.width / 2, box.y + box.height / 2], dot);
  }
  if (sign === 'area') drawSwatch(pen, box, colour, stroke === undefined);
  if (stroke === undefined || stroke.width === 0) return;
  pen.strokeStyle = cssOf(stroke.colour);
  pen.lineWidth = Math.min(box.height, stroke.width * pointsPerPixel);
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const middle = box.y + box.height / 2;
  const line: readonly Point[] =
    sign === 'line'
      ? [
          [box.x, middle],
          [right, middle],
        ]
      : [
          [box.x, box.y],
          [right, box.y],
          [right, bottom],
          [box.x, bottom],
          [box.x, box.y],
        ];
  strokeLines(
    pen,
    [line],
    stroke.dashes.map((dash) => dash * pointsPerPixel),
  );
}

const signatureHeight = 25;

/** Returns a line for each signature, between the post and the name. */
function signaturesBlock({ annex }: SheetPage, width: number): Block {
  const rows = (annex?.signatures ?? []).map(({ post, name }): Block => {
    const nameWidth = Math.min(width * 0.34, widthOf(cleanText(name), 'body'));
    const posts = textBlock(post, styleOf('body', width * 0.4, 2));
    return {
      width,
      height: signatureHeight,
      draw: (pen, x, y) => {
        const base = y + signatureHeight - 6;
        posts.draw(pen, x, base + 2.4 - posts.height);
        textBlock(name, styleOf('body', nameWidth + 1, 1)).draw(pen, x + width - nameWidth, base - 8);
        const start = x + posts.width + 5;
        fill(pen, { x: start, y: base, width: x + width - nameWidth - 5 - start, height: 0.5 }, ink);
      },
    };
  });
  return stacked(rows.length === 0 ? [] : [...rows, gap(6)]);
}

function legendBlock(page: SheetPage, room: LegendRoom): Block {
  const { legend, legendTitle } = page;
  const head = textBlock(legendTitle, styleOf('strong', room.width, 2));
  if ('kind' in legend) {
    const left = { ...room, height: room.height - head.height - 4 };
    return stacked([head, gap(4), plainBlock(legend, left)]);
  }
  const of = textBlock(legend.of, styleOf('small', room.width, 3));
  const left = { ...room, height: room.height - head.height - of.height - 4 };
  return stacked([head, of, gap(4), tableBlock(legend, left)]);
}

function scaled({ width, height, draw }: Block, scale: number): Block {
  return {
    width: width * scale,
    height: height * scale,
    draw: (pen, x, y) => {
      pen.save();
      pen.translate(x, y);
      pen.scale(scale, scale);
      draw(pen, 0, 0);
      pen.restore();
    },
  };
}

/** Returns the rows that fit; the last one counts the omitted ones. */
function tableBlock(legend: SheetLegend, { width, height, columns }: LegendRoom): Block {
  const own = (width - (columns - 1) * between) / columns;
  const head = rowBlock({ colour: null, label: '', ...legend.columns }, own, {
    role: 'small',
    hasSwatch: false,
  });
  const total = rowBlock({ colour: null, ...legend.total }, own, { role: 'strong', hasSwatch: false });
  const rows = legend.rows.map((row) => rowBlock(row, own, { role: 'body', hasSwatch: true }));
  const room = (height - head.height - total.height - 6) * columns;
  const fitting = countFitting(rows, columns === 1 ? room : room - 20);
  const shown = rows.slice(0, fitting < rows.length ? Math.max(1, fitting - 1) : fitting);
  const more =
    shown.length < rows.length
      ? [
          rowBlock(
            { colour: null, label: `… +${rows.length - shown.length}`, hectares: '', share: '' },
            own,
            { role: 'body', hasSwatch: true },
          ),
        ]
      : [];
  const all = [...shown, ...more];
  const length = Math.ceil(all.length / columns);
  const parts = Array.from({ length: columns }, (_, index) =>
    all.length > index * length
      ? stacked([head, ...all.slice(index * length, (index + 1) * length)])
      : gap(0),
  );
  return stacked([sideBySide(parts, between), gap(2), ruleBlock(own), gap(2), total]);
}

function countFitting(rows: readonly Block[], room: number): number {
  let left = room;
  const firstOver = rows.findIndex(({ height }) => {
    left -= height;
    return left < 0;
  });
  return firstOver === -1 ? rows.length : firstOver;
}

function ruleBlock(width: number): Block {
  return {
    width,
    height: 0.5,
    draw: (pen, x, y) => fill(pen, { x, y, width, height: 0.5 }, faint),
  };
}

function rowBlock(
  { colour, label, hectares, share, bar }: LegendRow,
  width: number,
  { role, hasSwatch }: { readonly role: Role; readonly hasSwatch: boolean },
): Block {
  const left = hasSwatch ? swatchWidth + 5 : 0;
  const text = textBlock(label, styleOf(role, width - left - hectaresWidth - shareWidth - 3, 3));
  const base = role === 'small' ? 6.1 : 8;
  const numbers = (pen: Pen, words: string, right: number, y: number) => {
    const clean = cleanText(words);
    write(pen, clean, {
      x: right - widthOf(clean, role),
      y: y + base,
      role,
      colour: role === 'small' ? faint : ink,
    });
  };
  return {
    width,
    height: text.height + (bar === undefined ? 0.8 : barHeight + 0.5),
    draw: (pen, x, y) => {
      if (bar !== undefined && colour !== null)
        drawBar(
          pen,
          { x: x + left, y: y + text.height - 0.3, width: width - left, height: barHeight },
          { bar, colour },
        );
      if (colour !== null)
        drawSwatch(pen, { x, y: y + 1.4, width: swatchWidth, height: swatchHeight }, colour);
      text.draw(pen, x + left, y);
      numbers(pen, hectares, x + width - shareWidth, y);
      numbers(pen, share, x + width, y);
    },
  };
}

const barHeight = 1.6;
const barColour: Rgba = [91, 125, 112, 255];

/** Draws a share of the unit as a bar in the colour of its class, and that of the whole as a mark. */
function drawBar(
  pen: Pen,
  { x, y, width, height }: Box,
  { bar, colour }: { readonly bar: NonNullable<LegendRow['bar']>; readonly colour: Rgba },
): void {
  fill(pen, { x, y, width, height }, [232, 235, 233, 255]);
  fill(pen, { x, y, width: width * bar.part, height }, [colour[0], colour[1], colour[2], 255]);
  fill(pen, { x: x + width * bar.whole - 0.4, y: y - 0.7, width: 0.8, height: height + 1.4 }, ink);
}

/** Draws a colour of the map, on white if it is not opaque. */
function drawSwatch(pen: Pen, box: Box, colour: NonNullable<LegendRow['colour']>, hasEdge = true): void {
  fill(pen, box, [255, 255, 255, 255]);
  fill(pen, box, colour);
  if (!hasEdge) return;
  pen.strokeStyle = 'rgba(0, 0, 0, 0.45)';
  pen.lineWidth = 0.35;
  pen.strokeRect(box.x, box.y, box.width, box.height);
}

function notesBlock({ notes }: SheetPage, width: number): Block {
  return stacked(notes.flatMap((note) => [textBlock(note, styleOf('body', width, 4)), gap(2.5)]));
}

function sourcesBlock({ sourcesTitle, sources }: SheetPage, width: number, height: number): Block {
  const lineHeight = 7.8;
  const title = textBlock(sourcesTitle, styleOf('strong', width, 1));
  const most = Math.max(1, Math.floor((height - title.height) / lineHeight));
  const lines: string[] = [];
  for (const [index, source] of sources.entries()) {
    const own = wrapText(source, 'small', { width, maxLines: 2 });
    const isLast = index === sources.length - 1;
    if (lines.length + own.length > most - (isLast ? 0 : 1)) {
      lines.push(`… +${sources.length - index}`);
      break;
    }
    lines.push(...own);
  }
  return stacked([title, ...lines.map((line) => textBlock(line, styleOf('small', width, 1)))]);
}

/** Returns the code of the address, which is also a link, with short facts beside it. */
export function factsBlock({ facts, address, date }: SheetPage, width: number): Block {
  const text = stacked(
    [...facts, date].map((fact) => textBlock(fact, styleOf('small', width - codeSide - 6, 3))),
  );
  const link = textBlock(address, styleOf('small', width, 2));
  const height = Math.max(codeSide, text.height) + 3 + link.height;
  return {
    width,
    height,
    draw: (pen, x, y) => {
      drawCode(pen, address, { x, y, width: codeSide, height: codeSide });
      text.draw(pen, x + codeSide + 6, y);
      link.draw(pen, x, y + height - link.height);
      pen.annotateLinkUrl(x, y, x + codeSide, y + codeSide, address);
    },
  };
}

function drawCode(pen: Pen, address: string, { x, y, width }: Box): void {
  const { data, size } = encode(address, { ecc: 'M', border: 0 });
  const side = width / size;
  pen.fillStyle = '#000000';
  pen.beginPath();
  for (const [row, modules] of data.entries()) {
    for (let column = 0; column < size; column += 1) {
      if (modules[column] !== true) continue;
      const first = column;
      while (modules[column + 1] === true) column += 1;
      pen.rect(x + first * side, y + row * side, (column + 1 - first) * side, side);
    }
  }
  pen.fill();
}
