import { type Extent, type Point, type Polygons, projectRing } from '../../../../common/maps/paper/albers.ts';
import { clipRing } from '../../../../common/maps/paper/clip.ts';
import type { OpenPlane } from '../../../../common/maps/paper/planes.ts';
import type { Pen } from '../canvas/canvas.ts';

/** Borders in units of a picture, ring by ring. */
export type Borders = readonly (readonly Point[])[];

/** The drawing time of a path grows with the square of its points; longer borders are stroked in several paths. */
const maxPathPlaces = 250;

/** The way from longitude and latitude to a picture. */
export interface Way {
  readonly plane: OpenPlane;
  /** From the plane to the picture. */
  readonly toPicture: (point: Point) => Point;
  /** Minimum distance between points of the picture: closer ones are omitted. */
  readonly step: number;
  /** Bounds of the picture in degrees, with a margin: what is beyond them is cut off; undefined to keep everything. */
  readonly bounds: Extent | undefined;
}

/** Projects polygons; where they are cut, their borders follow the bounds. */
export function bordersOf(polygons: Polygons, way: Way): Borders {
  const { bounds } = way;
  return polygons.flat().flatMap((ring) => {
    const kept = bounds === undefined ? ring : clipRing(ring, bounds);
    return kept.length === 0 ? [] : [lineOnPicture(kept, way)];
  });
}

/** Lines of borders as sides of rings, each once; a dash that is drawn twice, in two directions, would be a whole line. */
export function linesOnce(
  polygons: Polygons,
  seen: Set<string>,
): readonly (readonly Readonly<readonly number[]>[])[] {
  const lines: Readonly<readonly number[]>[][] = [];
  for (const ring of polygons.flat()) {
    let line: Readonly<readonly number[]>[] | undefined;
    for (let index = 1; index < ring.length; index += 1) {
      const [from = [], to = []] = [ring[index - 1], ring[index]];
      const [one, other] = [from.join(' '), to.join(' ')];
      const side = one < other ? `${one} ${other}` : `${other} ${one}`;
      if (seen.has(side)) line = undefined;
      else if (line === undefined) lines.push((line = [from, to]));
      else line.push(to);
      seen.add(side);
    }
  }
  return lines;
}

/** Projects a line. */
export function lineOnPicture(
  line: readonly Readonly<readonly number[]>[],
  { plane, toPicture, step }: Way,
): readonly Point[] {
  const kept: Point[] = [];
  const points = projectRing(line, plane.toPlane).map(toPicture);
  for (const [index, point] of points.entries()) {
    const last = kept.at(-1);
    const isFar = last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= step;
    if (isFar || index === points.length - 1) kept.push(point);
  }
  return kept;
}

export function strokeBorders(pen: Pen, borders: Borders): void {
  strokeLines(pen, borders, []);
}

/** Strokes lines with dashes, whose pattern goes on through all paths of a line. */
export function strokeLines(pen: Pen, lines: readonly (readonly Point[])[], dashes: readonly number[]): void {
  pen.setLineDash([...dashes]);
  for (const line of lines) {
    let drawn = 0;
    for (let first = 0; first < line.length - 1; first += maxPathPlaces) {
      const part = line.slice(first, first + maxPathPlaces + 1);
      pen.lineDashOffset = drawn;
      pen.beginPath();
      for (const [x, y] of part) pen.lineTo(x, y);
      pen.stroke();
      if (dashes.length > 0) drawn += lengthOf(part);
    }
  }
  pen.setLineDash([]);
  pen.lineDashOffset = 0;
}

function lengthOf(line: readonly Point[]): number {
  return line.reduce((sum, [x, y], index) => {
    const [fromX, fromY] = line[index - 1] ?? [x, y];
    return sum + Math.hypot(x - fromX, y - fromY);
  }, 0);
}

/** Fills the rings of a polygon, except for its holes. */
export function fillBorders(pen: Pen, rings: Borders): void {
  pen.beginPath();
  addRings(pen, rings);
  pen.fill('evenodd');
}

function addRings(pen: Pen, rings: Borders): void {
  for (const ring of rings) {
    for (const [index, point] of ring.entries()) {
      if (index === 0) pen.moveTo(...point);
      else pen.lineTo(...point);
    }
    pen.closePath();
  }
}

interface Room {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills a box except for the area within borders. */
export function fillOutside(pen: Pen, { x, y, width, height }: Room, borders: Borders): void {
  pen.beginPath();
  pen.rect(x, y, width, height);
  addRings(pen, borders);
  pen.fill('evenodd');
}
