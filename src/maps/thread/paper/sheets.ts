import { type Box, type Paper, paperOf } from '../../../../common/maps/paper/papers.ts';
import type {
  AtlasIndex,
  IndexRow,
  SheetDocument,
  SheetPage,
} from '../../../../common/maps/paper/sheet-page.ts';
import { fill, type Pen, type Role, widthOf, write } from '../canvas/canvas.ts';
import { openDocument } from '../canvas/document.ts';
import { cleanText, wrapText } from '../canvas/text.ts';
import { textBlock } from '../legend/blocks.ts';
import { drawPanel, factsBlock } from './panel.ts';

import type { ThreadContext } from '../objects/context.ts';
import type { PaperRaster, StyledRasters } from '../raster/styled-rasters.ts';
import { drawFoot, drawMap, faint, ink, type MapLayers } from './map.ts';
import { drawPageNumbers } from './page-numbers.ts';
import { type OpenVector, openVector, type PaperVector } from './vectors.ts';

export interface SheetRequest {
  readonly document: SheetDocument;
  /** From below to above. */
  readonly rasters: readonly PaperRaster[];
  /** From below to above, over all rasters. */
  readonly vectors: readonly PaperVector[];
}

/**
 * Writes map sheets as PDF: vector text in the font of legends, rasters by nearest neighbour at 300 dpi.
 * @throws {Problem}
 */
export async function drawSheets(
  rasters: StyledRasters,
  { document, rasters: drawn, vectors }: SheetRequest,
  context: ThreadContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const paper = paperOf(document.size, document.orientation, document.mapHeight);
  const pdf = openDocument(cleanText(document.title));
  const opened: OpenVector[] = [];
  for (const vector of vectors) opened.push(await openVector(vector, context));
  const layers = { rasters, drawn, vectors: opened };
  if (document.index !== undefined) await drawIndex(pdf, paper, layers, document.index);
  for (const [index, page] of document.pages.entries()) {
    const pen = pdf.begin(paper.width, paper.height);
    if (document.index !== undefined) pen.annotateNamedDestination(0, 0, `sheet-${index}`);
    await drawPage(pen, paper, layers, page);
    drawLarge(pen, paper, (inUnits) =>
      drawPanel(pen, page, { panel: inUnits(paper.panel), columns: paper.columns }),
    );
    pdf.end();
  }
  return pdf.close();
}

/** Draws with letters of the size of the paper. @param draw receives the conversion of boxes to the units of the pen */
function drawLarge(pen: Pen, { letters }: Paper, draw: (inUnits: (box: Box) => Box) => void): void {
  pen.save();
  pen.scale(letters, letters);
  draw(({ x, y, width, height }) => ({
    x: x / letters,
    y: y / letters,
    width: width / letters,
    height: height / letters,
  }));
  pen.restore();
}

/** Draws head, map and foot. */
async function drawPage(pen: Pen, paper: Paper, layers: MapLayers, page: SheetPage): Promise<void> {
  fill(pen, { x: 0, y: 0, width: paper.width, height: paper.height }, [255, 255, 255, 255]);
  drawLarge(pen, paper, (inUnits) => drawHead(pen, page, inUnits(paper.head)));
  await drawMap(pen, layers, page, paper.map);
  drawLarge(pen, paper, (inUnits) => drawFoot(pen, page, inUnits(paper.map), paper.letters));
}

function drawHead(
  pen: Pen,
  { title, subtitle, annex, ...page }: SheetPage,
  { x, y, width, height }: Box,
): void {
  const hasAnnex = annex !== undefined && annex.lines.length > 0;
  const roleOf = (index: number): Role => (hasAnnex ? 'body' : index === 0 ? 'strong' : 'small');
  const room = width * 0.34;
  const headRight = hasAnnex
    ? annex.lines.flatMap((line) => wrapText(line, 'body', { width: room, maxLines: 2 }))
    : page.headRight;
  const widths = headRight.map((line, index) => widthOf(cleanText(line), roleOf(index)));
  const right = Math.min(room, Math.max(0, ...widths));
  const [first = ''] = wrapText(title, 'heading', { width: width - right - 10, maxLines: 1 });
  write(pen, first, { x, y: y + 15, role: 'heading', colour: ink });
  textBlock(subtitle, { role: 'subheading', colour: faint, width: width - right - 10, maxLines: 1 }).draw(
    pen,
    x,
    y + 20,
  );
  for (const [index, line] of headRight.entries()) {
    const role = roleOf(index);
    const [text = ''] = wrapText(line, role, { width: right, maxLines: 1 });
    write(pen, text, {
      x: x + width - widthOf(text, role),
      y: y + (hasAnnex ? 5 : 8) + index * 9,
      role,
      colour: hasAnnex || index === 0 ? ink : faint,
    });
  }
  fill(pen, { x, y: y + height - 9, width, height: 0.7 }, ink);
}

const rowHeight = 12.5;

/** Draws the index: the overview, with the page numbers in its units, and the table, on as many pages as needed. */
async function drawIndex(
  pdf: ReturnType<typeof openDocument>,
  paper: Paper,
  layers: MapLayers,
  { overview, columns, rows }: AtlasIndex,
): Promise<void> {
  const pen = pdf.begin(paper.width, paper.height);
  await drawPage(pen, paper, layers, overview);
  drawPageNumbers(pen, overview, paper.map, rows);
  const { panel, columns: across } = paper;
  const isBeside = across === 1;
  const width = isBeside ? panel.width : (panel.width - 32) / 3;
  const facts = factsBlock(overview, width);
  facts.draw(pen, panel.x + panel.width - width, panel.y + panel.height - facts.height);
  const height = isBeside ? panel.height - facts.height - 6 : panel.height;
  const perPage = Math.floor(height / rowHeight) - 1;
  const tables = isBeside ? 1 : 2;
  let page = pen;
  for (let first = 0; first < rows.length; first += perPage) {
    const table = Math.floor(first / perPage);
    if (table > 0 && table % tables === 0) {
      pdf.end();
      page = pdf.begin(paper.width, paper.height);
      fill(page, { x: 0, y: 0, width: paper.width, height: paper.height }, [255, 255, 255, 255]);
      drawHead(page, overview, paper.head);
    }
    const x = panel.x + (table % tables) * (width + 16);
    drawTable(
      page,
      { x, y: panel.y, width, height },
      { columns, rows: rows.slice(first, first + perPage), first },
    );
  }
  pdf.end();
}

function drawTable(
  pen: Pen,
  { x, y, width }: Box,
  { columns, rows, first }: { columns: AtlasIndex['columns']; rows: readonly IndexRow[]; first: number },
): void {
  const rights = { hectares: width, scale: width - 58, page: width - 112 };
  const line = (row: Omit<IndexRow, 'polygons'>, base: number, role: Role) => {
    const colour = role === 'small' ? faint : ink;
    const room = rights.page - 20;
    const [name = ''] = wrapText(row.name, role, { width: room, maxLines: 1 });
    write(pen, name, { x, y: base, role, colour });
    for (const key of ['hectares', 'scale', 'page'] as const) {
      const text = cleanText(row[key]);
      write(pen, text, { x: x + rights[key] - widthOf(text, role), y: base, role, colour });
    }
  };
  line(columns, y + 8, 'small');
  for (const [index, row] of rows.entries()) {
    const top = y + (index + 1) * rowHeight;
    fill(pen, { x, y: top - 1.5, width, height: 0.3 }, faint);
    line(row, top + 8.2, 'body');
    pen.annotateLinkToDestination(x, top, x + width, top + rowHeight, `sheet-${first + index}`);
  }
}
