import { rasterProblems } from '../../../messages/raster.ts';
import type { Bbox } from '../../engine.ts';
import type { Affine } from '../../raster-reader.ts';
import { nearest } from './longitudes.ts';

type Point = readonly [x: number, y: number];
export type Grid = { readonly width: number; readonly height: number; readonly affine: Affine };

const pointsPerEdge = 64;
const roundingDegrees = 1e-5;

/** Returns points along the outline of a raster, in its own coordinates; the first is not repeated at the end. */
export function outlineOf({ width, height, affine }: Grid): readonly Point[] {
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  return corners.flatMap(([fromPixel, fromLine], index) => {
    const [toPixel, toLine] = corners[(index + 1) % corners.length] ?? corners[0];
    return Array.from({ length: pointsPerEdge }, (_, step): Point => {
      const pixel = fromPixel + ((toPixel - fromPixel) * step) / pointsPerEdge;
      const line = fromLine + ((toLine - fromLine) * step) / pointsPerEdge;
      return placeAt({ affine }, pixel, line);
    });
  });
}

/** Returns the position of a place of a raster. */
export function placeAt({ affine }: Pick<Grid, 'affine'>, pixel: number, line: number): Point {
  const [x, a, b, y, c, d] = affine;
  return [x + a * pixel + b * line, y + c * pixel + d * line];
}

/** Returns the pixel and line of a position, whole numbers at the corners of pixels. */
export function pixelAt({ affine }: Pick<Grid, 'affine'>, [x, y]: Point): Point {
  const [x0, a, b, y0, c, d] = affine;
  const determinant = a * d - b * c;
  return [(d * (x - x0) - b * (y - y0)) / determinant, (a * (y - y0) - c * (x - x0)) / determinant];
}

/** Returns the box around points of a plane. */
export function planeBbox(points: readonly Point[]): Bbox {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * Returns the box around an outline on the earth, whose points are longitude and latitude in degrees. West is greater
 * than east when it crosses the antimeridian (RFC 7946, 5.2). An outline that runs around a pole holds it, with every
 * longitude.
 * @param pixelDegrees the height of a pixel, by which a grid may go beyond a pole.
 * @throws {Problem} when no point lies on the earth.
 */
export function geographicBbox(outline: readonly Point[], pixelDegrees = 0): Bbox {
  // Half a pixel beyond a pole is common in global grids; a latitude in metres is a wrong CRS.
  const highest = 90 + Math.max(1, pixelDegrees);
  const points = outline.filter(([lon, lat]) => Number.isFinite(lon) && Math.abs(lat) <= highest);
  const [first] = points;
  if (first === undefined || points.length < outline.length / 2) throw rasterProblems.wrongCrs();
  let [west, east, south, north] = [first[0], first[0], 90, -90];
  let lon = first[0];
  for (const [next, lat] of [...points, first]) {
    lon += nearest(next - lon);
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    const latitude = Math.min(90, Math.max(-90, lat));
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  if (Math.abs(lon - first[0]) > 180)
    return north > -south ? [-180, south, 180, 90] : [-180, -90, 180, north];
  // Steps of a global grid that were written with few digits miss the full turn by less than a pixel.
  if (east - west >= 360 - roundingDegrees) return [-180, south, 180, north];
  return west >= -180 && east <= 180 ? [west, south, east, north] : [wrap(west), south, wrap(east), north];
}

function wrap(lon: number): number {
  return lon > 180 || lon < -180 ? nearest(lon) : lon;
}
