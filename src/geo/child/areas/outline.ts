import { areaToPole } from '../../area/polygon-area.ts';
import { areaProblems } from '../../../messages/hectares.ts';
import { clipRing, rangeOf, shifted } from './clip.ts';
import type { Frame, Side } from './frame.ts';
import type { UnitPolygon, UnitRing } from './unit-polygons.ts';

/** A unit in the pixels of a raster. */
export interface Outline {
  /** Columns and rows of one position after the other, closed. */
  readonly rings: readonly Float64Array[];
  /** By which the winding of its rings is to be multiplied: rows may run to the south, or to the north. */
  readonly sign: 1 | -1;
  readonly firstRow: number;
  /** The row behind the last. */
  readonly endRow: number;
  /** Square metres within and outside of the raster, on the ellipsoid; `within` is NaN where the border of the raster is not on the earth. */
  readonly within: number;
  readonly outside: number;
}

/** Pieces of a line that one parabola stands for, parts of a line that bends more, and how often parts are parted. */
const mostPieces = 16;
const mostParts = 256;
const mostDepth = 8;

/**
 * Draws a unit into the pixels of a raster: its lines are straight in longitude and latitude, so that they get as many corners as it
 * takes to be right to `tolerance` pixels.
 * @throws {Problem} when the CRS of the raster has no place for it.
 */
export function outlineOf(unit: UnitPolygon, frame: Frame, tolerance: number): Outline {
  const { box, width, height } = frame;
  const drawn: Drawn[] = [];
  let isCut = false;
  for (const ring of unit.rings) {
    const range = rangeOf(ring, 0);
    const first = Math.ceil((box.west - range.most) / 360);
    const last = Math.floor((box.east - range.least) / 360);
    isCut ||= first !== last;
    for (let turn = first; turn <= last; turn += 1) {
      const moved = shifted(ring, 360 * turn);
      const clipped = clipRing(moved, box);
      isCut ||= clipped !== moved;
      if (clipped.length >= 8) drawn.push(draw(clipped, { frame, tolerance, id: unit.id }));
    }
  }
  const rows = drawn.map(({ places }) => rangeOf(places, 1));
  const firstRow = Math.max(0, Math.floor(Math.min(height, ...rows.map(({ least }) => least))));
  const endRow = Math.min(height, Math.ceil(Math.max(0, ...rows.map(({ most }) => most))));
  const rings = drawn.map(({ places }) => places);
  const isWithin =
    !isCut &&
    rings.every((places) => isInside(rangeOf(places, 0), width) && isInside(rangeOf(places, 1), height));
  const found = { rings, sign: signOf(rings), firstRow, endRow } as const;
  if (isWithin) return { ...found, within: unit.area, outside: 0 };
  if (firstRow >= endRow) return { ...found, within: 0, outside: unit.area };
  const within = drawn.reduce((sum, ring) => sum + areaWithin(ring, frame), 0);
  return { ...found, within, outside: Math.max(0, unit.area - within) };
}

function isInside(
  { least, most }: { readonly least: number; readonly most: number },
  length: number,
): boolean {
  return least >= 0 && most <= length;
}

function signOf(rings: readonly Float64Array[]): 1 | -1 {
  let sum = 0;
  for (const ring of rings)
    for (let i = 0; i + 3 < ring.length; i += 2)
      sum += ((ring[i + 2] ?? NaN) - (ring[i] ?? NaN)) * ((ring[i + 1] ?? NaN) + (ring[i + 3] ?? NaN));
  return sum > 0 ? 1 : -1;
}

/** A ring with the corners that it was given. */
interface Drawn {
  readonly places: Float64Array;
  /** Longitude, latitude of each corner. */
  readonly positions: Float64Array;
}

interface Drawing {
  readonly frame: Frame;
  readonly tolerance: number;
  /** Names the unit. */
  readonly id: string;
}

/** Positions on the earth and their places, one after the other. */
interface Points {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

function draw(ring: UnitRing, drawing: Drawing): Drawn {
  const count = ring.length / 2;
  const corners = placed(
    Float64Array.from({ length: count }, (_, i) => ring[2 * i] ?? NaN),
    Float64Array.from({ length: count }, (_, i) => ring[2 * i + 1] ?? NaN),
    drawing.frame,
  );
  const between = (values: Float64Array) =>
    Float64Array.from({ length: count - 1 }, (_, i) => ((values[i] ?? NaN) + (values[i + 1] ?? NaN)) / 2);
  const middles = placed(between(corners.lons), between(corners.lats), drawing.frame);
  const drawn: MutableDrawn = { places: [], positions: [] };
  for (let i = 0; i + 1 < count; i += 1)
    drawLine(drawn, { ends: corners, from: i, to: i + 1, middles, middle: i, depth: 0 }, drawing);
  return { places: closed(drawn.places), positions: closed(drawn.positions) };
}

function placed(lons: Float64Array, lats: Float64Array, { toPixels }: Frame): Points {
  const [xs, ys] = [lons.slice(), lats.slice()];
  toPixels(xs, ys);
  return { lons, lats, xs, ys };
}

interface MutableDrawn {
  readonly places: number[];
  readonly positions: number[];
}

interface Line {
  readonly ends: Points;
  readonly from: number;
  readonly to: number;
  readonly middles: Points;
  readonly middle: number;
  readonly depth: number;
}

/** Adds the corners of a line, without its end: as a parabola through its middle, or part by part where it bends too much for one. */
function drawLine(drawn: MutableDrawn, line: Line, drawing: Drawing): void {
  const { ends, from, to, middles, middle, depth } = line;
  const [lon0 = NaN, lon1 = NaN] = [ends.lons[from], ends.lons[to]];
  const [lat0 = NaN, lat1 = NaN] = [ends.lats[from], ends.lats[to]];
  const [x0 = NaN, x1 = NaN, x = NaN] = [ends.xs[from], ends.xs[to], middles.xs[middle]];
  const [y0 = NaN, y1 = NaN, y = NaN] = [ends.ys[from], ends.ys[to], middles.ys[middle]];
  const away = Math.hypot(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
  const { frame, tolerance, id } = drawing;
  if (!Number.isFinite(away) || depth > mostDepth) throw areaProblems.beyondProjection(id);
  const isBeside =
    Math.max(x0, x, x1) + 2 * away < 0 ||
    Math.min(x0, x, x1) - 2 * away > frame.width ||
    Math.max(y0, y, y1) + 2 * away < 0 ||
    Math.min(y0, y, y1) - 2 * away > frame.height;
  const pieces = isBeside ? 1 : Math.max(1, Math.ceil(Math.sqrt(away / tolerance)));
  if (pieces > mostPieces) {
    const parts = Math.min(mostParts, Math.ceil(pieces / (mostPieces / 2)));
    const along = (a: number, b: number) =>
      Float64Array.from({ length: 2 * parts + 1 }, (_, i) => a + ((b - a) * i) / (2 * parts));
    const points = placed(along(lon0, lon1), along(lat0, lat1), frame);
    for (let i = 0; i < 2 * parts; i += 2)
      drawLine(
        drawn,
        { ends: points, from: i, to: i + 2, middles: points, middle: i + 1, depth: depth + 1 },
        drawing,
      );
    return;
  }
  drawn.places.push(x0, y0);
  drawn.positions.push(lon0, lat0);
  for (let piece = 1; piece < pieces; piece += 1) {
    const t = piece / pieces;
    const [a, b, c] = [(1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1)];
    drawn.places.push(a * x0 + b * x + c * x1, a * y0 + b * y + c * y1);
    drawn.positions.push(lon0 + t * (lon1 - lon0), lat0 + t * (lat1 - lat0));
  }
}

function closed(points: readonly number[]): Float64Array {
  return Float64Array.from([...points.slice(0), points[0] ?? NaN, points[1] ?? NaN]);
}

/**
 * Returns the area of a ring within the raster. Each place beyond the raster is moved to the nearest on its border, which leaves the winding of
 * all places within as it is: the area to the pole under what is left of the ring is that of the part within.
 */
function areaWithin({ places, positions }: Drawn, frame: Frame): number {
  let sum = 0;
  for (let i = 0; i + 3 < places.length; i += 2) {
    const [x0 = NaN, y0 = NaN, x1 = NaN, y1 = NaN] = places.subarray(i, i + 4);
    const [lon0 = NaN, lat0 = NaN, lon1 = NaN, lat1 = NaN] = positions.subarray(i, i + 4);
    let from = 0;
    for (const to of [...crossings([x0, y0], [x1, y1], frame), 1]) {
      const middle = (from + to) / 2;
      const [x, y] = [x0 + (x1 - x0) * middle, y0 + (y1 - y0) * middle];
      const [column, row] = [sideOf(x, frame.width), sideOf(y, frame.height)];
      const at = (a: number, b: number, t: number) => a + (b - a) * t;
      if (column === 0 && row === 0)
        sum += areaToPole(
          [at(lon0, lon1, from), at(lat0, lat1, from), at(lon0, lon1, to), at(lat0, lat1, to)],
          frame.pole,
        );
      else if (row === 0) {
        const side: Side = column < 0 ? 'left' : 'right';
        sum += frame.areaAlong(side, at(y0, y1, to)) - frame.areaAlong(side, at(y0, y1, from));
      } else if (column === 0) {
        const side: Side = row < 0 ? 'upper' : 'lower';
        sum += frame.areaAlong(side, at(x0, x1, to)) - frame.areaAlong(side, at(x0, x1, from));
      }
      from = to;
    }
  }
  return sum;
}

type Place = readonly [x: number, y: number];

/** Shares of a line at which it crosses the lines that the borders of the raster lie on, ascending. */
function crossings([x0, y0]: Place, [x1, y1]: Place, { width, height }: Frame): number[] {
  const found: number[] = [];
  const look = (a: number, b: number, limit: number) => {
    if (a < limit !== b < limit && a !== limit && b !== limit) found.push((limit - a) / (b - a));
  };
  look(x0, x1, 0);
  look(x0, x1, width);
  look(y0, y1, 0);
  look(y0, y1, height);
  return found.length > 1 ? found.toSorted((a, b) => a - b) : found;
}

/** Negative before the raster, 0 within, positive behind. */
function sideOf(at: number, length: number): -1 | 0 | 1 {
  if (at < 0) return -1;
  return at > length ? 1 : 0;
}
