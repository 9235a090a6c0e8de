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

import { drawFoot, drawMap, faint, ink, type MapRasters } from './map.ts';
import { drawPageNumbers } from './page-numbers.ts';

export interface SheetRequest extends SheetDocumentRaster {
  readonly document: SheetDocument;
}

type SheetDocumentRaster = Pick<MapRasters, 'raster'>;

/**
 * Writes map sheets as PDF: vector text in the font of legends, rasters by nearest neighbour at 300 dpi.
 * @throws {Problem}
 */
export async function drawSheets(
  rasters: MapRasters['rasters'],
  { document, raster }: SheetRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const paper = paperOf(document.size, document.orientation);
  const pdf = openDocument(cleanText(document.title));
  const drawn = { rasters, raster };
  if (document.index !== undefined) await drawIndex(pdf, paper, drawn, document.index);
  for (const [index, page] of document.pages.entries()) {
    const pen = pdf.begin(paper.width, paper.height);
    if (document.index !== undefined) pen.annotateNamedDestination(0, 0, `sheet-${index}`);
    await drawPage(pen, paper, drawn, page);
    drawPanel(pen, page, paper);
    pdf.end();
  }
  return pdf.close();
}

/** Draws head, map and foot. */
async function drawPage(pen: Pen, paper: Paper, drawn: MapRasters, page: SheetPage): Promise<void> {
  fill(pen, { x: 0, y: 0, width: paper.width, height: paper.height }, [255, 255, 255, 255]);
  drawHead(pen, page, paper.head);
  await drawMap(pen, drawn, page, paper.map);
  drawFoot(pen, page, paper.map);
}

function drawHead(pen: Pen, { title, subtitle, headRight }: SheetPage, { x, y, width, height }: Box): void {
  const roleOf = (index: number): Role => (index === 0 ? 'strong' : 'small');
  const widths = headRight.map((line, index) => widthOf(cleanText(line), roleOf(index)));
  const right = Math.min(width * 0.34, Math.max(0, ...widths));
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
      y: y + 8 + index * 9,
      role,
      colour: index === 0 ? ink : faint,
    });
  }
  fill(pen, { x, y: y + height - 9, width, height: 0.7 }, ink);
}

const rowHeight = 12.5;

/** Draws the index: the overview, with the page numbers in its units, and the table, on as many pages as needed. */
async function drawIndex(
  pdf: ReturnType<typeof openDocument>,
  paper: Paper,
  drawn: MapRasters,
  { overview, columns, rows }: AtlasIndex,
): Promise<void> {
  const pen = pdf.begin(paper.width, paper.height);
  await drawPage(pen, paper, drawn, overview);
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
