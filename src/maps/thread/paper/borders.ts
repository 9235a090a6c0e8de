import { type Point, type Polygons, projectRing } from '../../../../common/maps/paper/albers.ts';
import type { Pen } from '../canvas/canvas.ts';

/** Borders in units of a picture, ring by ring. */
export type Borders = readonly (readonly Point[])[];

/** The drawing time of a path grows with the square of its points; longer borders are stroked in several paths. */
const maxPathPlaces = 250;

/**
 * Projects polygons.
 * @param toPicture from the Albers plane to the picture.
 * @param step minimum distance between points of the picture: closer ones are omitted
 */
export function bordersOf(polygons: Polygons, toPicture: (point: Point) => Point, step: number): Borders {
  return polygons.flat().map((ring) => {
    const kept: Point[] = [];
    const points = projectRing(ring).map(toPicture);
    for (const [index, point] of points.entries()) {
      const last = kept.at(-1);
      const isFar = last === undefined || Math.hypot(point[0] - last[0], point[1] - last[1]) >= step;
      if (isFar || index === points.length - 1) kept.push(point);
    }
    return kept;
  });
}

export function strokeBorders(pen: Pen, borders: Borders): void {
  for (const ring of borders) {
    for (let first = 0; first < ring.length - 1; first += maxPathPlaces) {
      pen.beginPath();
      for (const [x, y] of ring.slice(first, first + maxPathPlaces + 1)) pen.lineTo(x, y);
      pen.stroke();
    }
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
  for (const ring of borders) {
    for (const [index, point] of ring.entries()) {
      if (index === 0) pen.moveTo(...point);
      else pen.lineTo(...point);
    }
    pen.closePath();
  }
  pen.fill('evenodd');
}
