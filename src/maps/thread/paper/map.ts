import { type Extent, extentOf, type Point } from '../../../../common/maps/paper/albers.ts';
import { type Graticule, graticuleOf } from '../../../../common/maps/paper/graticule.ts';
import { type Box, dotsOf, metresPerPoint } from '../../../../common/maps/paper/papers.ts';
import { clipLine } from '../../../../common/maps/paper/clip.ts';
import { boundsOfFrame, type OpenPlane, openPlane } from '../../../../common/maps/paper/planes.ts';
import { frameOfSheet } from '../../../../common/maps/paper/sheet-frame.ts';
import type { BorderLine, SheetPage } from '../../../../common/maps/paper/sheet-page.ts';
import type { Rgba } from '../../../../common/maps/style/colour-map.ts';
import { unitLevels } from '../../../../common/maps/units/levels.ts';
import { outlineText, type Pen, type Role, widthOf, write } from '../canvas/canvas.ts';
import { drawPixels } from '../canvas/document.ts';
import { cleanText } from '../canvas/text.ts';
import { textBlock } from '../legend/blocks.ts';
import type { PaperRaster, StyledRasters } from '../raster/styled-rasters.ts';
import {
  type Borders,
  bordersOf,
  fillOutside,
  lineOnPicture,
  linesOnce,
  strokeBorders,
  strokeLines,
  type Way,
} from './borders.ts';
import { placeNames } from './names.ts';
import { pale, unitLine } from './picture.ts';
import { drawGridLines, drawSheetFrame } from './sheet-frame.ts';
import { drawVector, type OpenVector } from './vectors.ts';

export const ink: Rgba = [24, 33, 29, 255];
export const faint: Rgba = [91, 102, 96, 255];
const gridLine = 'rgba(40, 70, 110, 0.45)';
const black = '#18211d';

/** All that a map shows below its grid. */
export interface MapLayers {
  readonly rasters: StyledRasters;
  /** From below to above. */
  readonly drawn: readonly PaperRaster[];
  /** Above all rasters. */
  readonly vectors: readonly OpenVector[];
}

/**
 * Draws the map of a sheet into its box: layers, unit, borders, grid with labels, watermark, frame.
 * @throws {Problem}
 */
export async function drawMap(pen: Pen, layers: MapLayers, page: SheetPage, box: Box): Promise<void> {
  const { frame, sheet } = page;
  const plane = openPlane(page.plane);
  const perPoint = (frame.right - frame.left) / box.width;
  const toPaper = ([x, y]: Point): Point => [
    box.x + (x - frame.left) / perPoint,
    box.y + (frame.top - y) / perPoint,
  ];
  const sheetFrame = sheet && frameOfSheet(sheet, plane);
  const shown = sheetFrame === undefined ? box : boxOf(sheetFrame.ring.map(toPaper));
  pen.save();
  pen.beginPath();
  if (sheetFrame === undefined) pen.rect(box.x, box.y, box.width, box.height);
  else for (const point of sheetFrame.ring) pen.lineTo(...toPaper(point));
  pen.closePath();
  pen.clip();
  await drawRasters(pen, layers, { plane, shown, box, frame });
  pen.lineJoin = 'round';
  const way: Way = { plane, toPicture: toPaper, step: 0.25, bounds: boundsOfFrame(frame, plane) };
  for (const vector of layers.vectors) drawVector(pen, vector, { way, denominator: page.denominator });
  const unit = page.unit && bordersOf(page.unit, { ...way, step: 0.15 });
  if (unit !== undefined) {
    pen.fillStyle = pale;
    fillOutside(pen, box, unit);
  }
  const named = page.neighbours.flatMap(({ name, polygons }) =>
    name === '' ? [] : [{ name, borders: bordersOf(polygons, way) }],
  );
  const seen = new Set<string>();
  for (const level of unitLevels) {
    const own = page.neighbours.filter((each) => each.level === level);
    drawBorders(pen, { line: page.borders[level], way, seen }, own);
  }
  const graticule = sheetFrame === undefined ? graticuleOf(frame) : undefined;
  if (sheetFrame !== undefined) drawGridLines(pen, sheetFrame, toPaper);
  else if (graticule !== undefined)
    stroke(pen, { colour: gridLine, width: 0.3 }, [graticule.lines.map((line) => line.map(toPaper))]);
  if (unit !== undefined) stroke(pen, { colour: unitLine, width: 1.3 }, [unit]);
  const roomForNames =
    sheetFrame === undefined ? box : insideOf(sheetFrame.corners.map(({ point }) => toPaper(point)));
  for (const { name, x, y } of placeNames(named, {
    box: roomForNames,
    hidden: page.hasNamesInUnit ? undefined : unit,
  })) {
    const text = cleanText(name);
    const width = widthOf(text, 'small');
    pen.fillStyle = 'rgba(255, 255, 255, 0.75)';
    pen.fillRect(x - width / 2 - 1.5, y - 5.6, width + 3, 8);
    write(pen, text, { x: x - width / 2, y: y + 0.3, role: 'small', colour: ink });
  }
  if (page.watermark !== undefined) drawWatermark(pen, page.watermark, shown);
  pen.restore();
  if (sheet !== undefined && sheetFrame !== undefined) {
    drawSheetFrame(pen, { frame: sheetFrame, sheet }, toPaper);
    return;
  }
  pen.strokeStyle = black;
  pen.lineWidth = 0.9;
  pen.strokeRect(box.x, box.y, box.width, box.height);
  if (graticule !== undefined) drawLabels(pen, graticule, box);
}

/** Draws the rasters into the part of the box that the map shows. */
async function drawRasters(
  pen: Pen,
  { rasters, drawn }: MapLayers,
  { plane, shown, box, frame }: { plane: OpenPlane; shown: Box; box: Box; frame: Extent },
): Promise<void> {
  if (drawn.length === 0) return;
  const pointsPerDot = box.width / dotsOf(box).width;
  // Whole dots of the box, so that equal pixels are drawn whatever part is shown.
  const [left, top] = [
    Math.floor((shown.x - box.x) / pointsPerDot + 1e-6),
    Math.floor((shown.y - box.y) / pointsPerDot + 1e-6),
  ];
  const width = Math.ceil((shown.x + shown.width - box.x) / pointsPerDot - 1e-6) - left;
  const height = Math.ceil((shown.y + shown.height - box.y) / pointsPerDot - 1e-6) - top;
  const metresPerPixel = ((frame.right - frame.left) / box.width) * pointsPerDot;
  await rasters.planeStrips(
    drawn,
    {
      plane,
      left: frame.left + left * metresPerPixel,
      top: frame.top - top * metresPerPixel,
      metresPerPixel,
      width,
      height,
    },
    (strip) =>
      drawPixels(pen, strip, {
        x: box.x + left * pointsPerDot,
        y: box.y + (top + strip.firstRow) * pointsPerDot,
        width: width * pointsPerDot,
        height: strip.height * pointsPerDot,
      }),
  );
}

/** Returns the box between the sides of a sheet, whose corners run from the south-west counterclockwise. */
function insideOf(corners: readonly Point[]): Box {
  const [
    [west, south] = [0, 0],
    [east, southEast] = [0, 0],
    [northEast, north] = [0, 0],
    [northWest, top] = [0, 0],
  ] = corners;
  const [x, y] = [Math.max(west, northWest), Math.max(north, top)];
  return { x, y, width: Math.min(east, northEast) - x, height: Math.min(south, southEast) - y };
}

function boxOf(points: readonly Point[]): Box {
  const { left, right, top, bottom } = extentOf(points) ?? { left: 0, right: 0, top: 0, bottom: 0 };
  return { x: left, y: bottom, width: right - left, height: top - bottom };
}

/** Strokes borders in their line: that of a region where districts share it, and each once. */
function drawBorders(
  pen: Pen,
  { line, way, seen }: { readonly line: BorderLine; readonly way: Way; readonly seen: Set<string> },
  units: SheetPage['neighbours'],
): void {
  const { bounds } = way;
  const lines = units
    .flatMap(({ polygons }) => linesOnce(polygons, seen))
    .flatMap((own) => (bounds === undefined ? [own] : clipLine(own, bounds)))
    .map((part) => lineOnPicture(part, way));
  const { colour, width, dashes, hasHalo = false } = line;
  if (hasHalo) {
    pen.strokeStyle = halo;
    pen.lineWidth = width + 1.6;
    strokeLines(pen, lines, []);
  }
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  strokeLines(pen, lines, dashes);
}

const halo = 'rgba(255, 255, 255, 0.6)';

function stroke(
  pen: Pen,
  { colour, width }: { colour: string; width: number },
  lines: readonly Borders[],
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const each of lines) strokeBorders(pen, each);
}

/** Length of the longest mark that takes the usual part of the map, in units of its letters. */
const usualMark = 720;

/** Draws the outlines of text across the map: pixels inside and around them keep their colour. */
function drawWatermark(pen: Pen, words: string, { x, y, width, height }: Box): void {
  const text = cleanText(words);
  const long = widthOf(text, 'watermark');
  // Many words take more of the map, not smaller letters.
  const scale = Math.min((0.42 * width) / Math.min(long, usualMark), (0.75 * width) / long);
  pen.save();
  pen.translate(x + width / 2, y + height / 2);
  pen.rotate(-Math.atan2(height, width));
  pen.scale(scale, scale);
  for (const { colour, line } of watermarkLines) {
    pen.strokeStyle = colour;
    pen.lineWidth = line / scale;
    outlineText(pen, text, { x: -long / 2, y: 30, role: 'watermark' });
  }
  pen.restore();
}

const watermarkLines = [
  { colour: 'rgba(255, 255, 255, 0.85)', line: 2.4 },
  { colour: 'rgba(70, 76, 73, 0.85)', line: 0.9 },
] as const;

const tick = 3;

function drawLabels(pen: Pen, { labels }: Graticule, { x, y, width, height }: Box): void {
  pen.lineWidth = 0.5;
  pen.strokeStyle = black;
  const line = (fromX: number, fromY: number, toX: number, toY: number) => {
    pen.beginPath();
    pen.moveTo(fromX, fromY);
    pen.lineTo(toX, toY);
    pen.stroke();
  };
  for (const { side, at, text } of labels) {
    const long = widthOf(text, 'small');
    const [across, down] = [x + at * width, y + at * height];
    const put = (left: number, base: number) =>
      write(pen, text, { x: left, y: base, role: 'small', colour: faint });
    // At a corner, two labels would overlap.
    const isFree =
      side === 'top' || side === 'bottom'
        ? at * width > long / 2 - 4 && (1 - at) * width > long / 2 - 4
        : at * height > 8 && (1 - at) * height > 8;
    if (!isFree) continue;
    switch (side) {
      case 'top':
        line(across, y - tick, across, y);
        put(across - long / 2, y - tick - 1.8);
        break;
      case 'bottom':
        line(across, y + height, across, y + height + tick);
        put(across - long / 2, y + height + tick + 6);
        break;
      default: {
        const left = side === 'left' ? x - tick : x + width;
        line(left, down, left + tick, down);
        pen.save();
        pen.translate(side === 'left' ? x - tick - 1.8 : x + width + tick + 6, down + long / 2);
        pen.rotate(-Math.PI / 2);
        put(0, 0);
        pen.restore();
      }
    }
  }
}

const lengths = [1, 2, 5] as const;
const barHeight = 3.2;

/**
 * Draws scale, scale bar, projection and north arrow below the map.
 * @param points points of paper per unit of the pen
 */
export function drawFoot(pen: Pen, page: SheetPage, map: Box, points: number): void {
  const top = map.y + map.height + 15 / points;
  const perPoint = metresPerPoint * page.denominator * points;
  const most = Math.min(190, map.width * 0.36) * perPoint;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * (lengths.findLast((each) => each * power <= most) ?? 1);
  const long = metres / perPoint;
  const parts = 4;
  for (let part = 0; part < parts; part += 1) {
    pen.fillStyle = part % 2 === 0 ? black : '#ffffff';
    pen.fillRect(map.x + (part * long) / parts, top, long / parts, barHeight);
  }
  pen.strokeStyle = black;
  pen.lineWidth = 0.5;
  pen.strokeRect(map.x, top, long, barHeight);
  const isLong = metres >= 2000;
  const unit = isLong ? page.units.kilometre : page.units.metre;
  for (const share of [0, 0.5, 1]) {
    const number = (share * metres) / (isLong ? 1000 : 1);
    const text = cleanText(share === 1 ? `${number} ${unit}` : String(number));
    const shift = share === 0 ? 0 : widthOf(String(number), 'small') / 2;
    write(pen, text, { x: map.x + share * long - shift, y: top + barHeight + 7, role: 'small', colour: ink });
  }
  const textLeft = map.x + long + widthOf(unit, 'small') + 18;
  drawNorth(pen, page, { x: map.x + map.width - 9, y: top + 5 });
  write(pen, cleanText(page.scale), { x: textLeft, y: top + 4, role: 'strong', colour: ink });
  const width = map.x + map.width - 26 - textLeft;
  textBlock(page.projection, { role: 'small', colour: faint, width, maxLines: 2 }).draw(
    pen,
    textLeft,
    top + 6,
  );
}

/** Draws an arrow to true north at the centre of the map. */
function drawNorth(pen: Pen, page: SheetPage, { x, y }: { x: number; y: number }): void {
  const { frame, north } = page;
  const plane = openPlane(page.plane);
  pen.save();
  pen.translate(x, y);
  pen.rotate((plane.convergenceAt(...plane.fromPlane(...middleOf(frame))) * Math.PI) / 180);
  pen.fillStyle = black;
  pen.beginPath();
  pen.moveTo(0, -9);
  pen.lineTo(4, 8);
  pen.lineTo(0, 5);
  pen.lineTo(-4, 8);
  pen.closePath();
  pen.fill();
  pen.restore();
  const role: Role = 'small';
  write(pen, cleanText(north), { x: x - 13, y: y + 2, role, colour: ink });
}

const middleOf = ({ left, right, top, bottom }: Extent): Point => [(left + right) / 2, (top + bottom) / 2];
