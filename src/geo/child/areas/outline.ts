import { areaToPole } from '../../area/polygon-area.ts';
import { areaProblems } from '../../../messages/areas/english.ts';
import type { Frame, Side, EarthBox } from './frame.ts';
import type { UnitPolygon, UnitRing } from './unit-polygons.ts';

/** A unit in pixel coordinates of a raster. */
export interface Outline {
  /** Columns and rows of each position, closed. */
  readonly rings: readonly Float64Array[];
  /** Factor for the winding of its rings: rows may run south or north. */
  readonly sign: 1 | -1;
  readonly firstRow: number;
  /** End row, exclusive. */
  readonly endRow: number;
  /** Ellipsoidal area within and outside the raster in square metres; `within` is NaN if the border of the raster is not on the earth. */
  readonly within: number;
  readonly outside: number;
}

/** Maximum pieces of a line that one parabola approximates, parts of a line that bends more, and depth of subdivision. */
const mostPieces = 16;
const mostParts = 256;
const mostDepth = 8;

/**
 * Converts a unit to pixels of a raster: its lines are straight in longitude and latitude, so that they get as many
 * corners as an error of at most `tolerance` pixels requires.
 * @throws {Problem} if the CRS of the raster cannot represent it.
 */
export function outlineOf(unit: UnitPolygon, frame: Frame, tolerance: number): Outline {
  const { width, height } = frame;
  const [{ drawn, isCut } = { drawn: [], isCut: false }] = drawUnits([unit], frame, tolerance);
  const found = placesOf(drawn, frame);
  const { rings, firstRow, endRow } = found;
  const isWithin =
    !isCut &&
    rings.every((places) => isInside(rangeOf(places, 0), width) && isInside(rangeOf(places, 1), height));
  if (isWithin) return { ...found, within: unit.area, outside: 0 };
  if (firstRow >= endRow) return { ...found, within: 0, outside: unit.area };
  const within = drawn.reduce((sum, ring) => sum + areaWithin(ring, frame), 0);
  return { ...found, within, outside: Math.max(0, unit.area - within) };
}

/** Positions of rings in a raster. */
export type Places = Omit<Outline, 'within' | 'outside'>;

/** Converts the rings of several units to pixels like `outlineOf`, without their areas: together, they are much faster. @throws {Problem} as `outlineOf` */
export function placesOfUnits(units: readonly Rings[], frame: Frame, tolerance: number): readonly Places[] {
  return drawUnits(units, frame, tolerance).map(({ drawn }) => placesOf(drawn, frame));
}

export type Rings = Pick<UnitPolygon, 'id' | 'rings'>;

function placesOf(drawn: readonly Drawn[], { height }: Frame): Places {
  const rows = drawn.map(({ places }) => rangeOf(places, 1));
  const rings = drawn.map(({ places }) => places);
  return {
    rings,
    sign: signOf(rings),
    firstRow: Math.max(0, Math.floor(Math.min(height, ...rows.map(({ least }) => least)))),
    endRow: Math.min(height, Math.ceil(Math.max(0, ...rows.map(({ most }) => most)))),
  };
}

interface DrawnUnit {
  readonly drawn: readonly Drawn[];
  readonly isCut: boolean;
}

function drawUnits(units: readonly Rings[], frame: Frame, tolerance: number): readonly DrawnUnit[] {
  const clipped = units.map(({ rings }) => clipRings(rings, frame.box));
  const count = clipped.reduce(
    (sum, { rings }) => sum + rings.reduce((all, { length }) => all + length / 2, 0),
    0,
  );
  if (count === 0) return clipped.map(({ isCut }) => ({ drawn: [], isCut }));
  const ends = { lons: new Float64Array(count), lats: new Float64Array(count) };
  let at = 0;
  for (const { rings } of clipped)
    for (const ring of rings)
      for (let i = 0; i < ring.length; i += 2, at += 1) {
        ends.lons[at] = ring[i] ?? NaN;
        ends.lats[at] = ring[i + 1] ?? NaN;
      }
  const corners = placed(ends.lons, ends.lats, frame);
  const middles = placed(halfway(ends.lons), halfway(ends.lats), frame);
  let from = 0;
  return clipped.map(({ rings, isCut }, index) => {
    const drawing = { frame, tolerance, id: units[index]?.id ?? '' };
    const drawn = rings.map((ring) => {
      const range = { from, to: from + ring.length / 2 };
      from = range.to;
      return draw(corners, middles, range, drawing);
    });
    return { drawn, isCut };
  });
}

/** Cuts rings to a box on the earth; each turn around the earth gives a ring of its own. */
function clipRings(rings: readonly UnitRing[], box: EarthBox) {
  const all: UnitRing[] = [];
  let isCut = false;
  for (const ring of rings) {
    const range = rangeOf(ring, 0);
    const first = Math.ceil((box.west - range.most) / 360);
    const last = Math.floor((box.east - range.least) / 360);
    isCut ||= first !== last;
    for (let turn = first; turn <= last; turn += 1) {
      const moved = shifted(ring, 360 * turn);
      const clipped = clipRing(moved, box);
      isCut ||= clipped !== moved;
      if (clipped.length >= 8) all.push(clipped);
    }
  }
  return { rings: all, isCut };
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

/** A ring with its original corners. */
interface Drawn {
  readonly places: Float64Array;
  /** Longitude, latitude of each corner. */
  readonly positions: Float64Array;
}

interface Drawing {
  readonly frame: Frame;
  readonly tolerance: number;
  /** Identifies the unit. */
  readonly id: string;
}

/** Positions on the earth and in the raster. */
interface Points {
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** Draws a ring whose corners are a range of all. @param middles of each corner and the next one */
function draw(
  corners: Points,
  middles: Points,
  { from, to }: { readonly from: number; readonly to: number },
  drawing: Drawing,
): Drawn {
  if (isStraight(corners, middles, { from, to }, drawing.tolerance)) return joined(corners, from, to);
  const drawn: MutableDrawn = { places: [], positions: [] };
  for (let i = from; i + 1 < to; i += 1)
    drawLine(drawn, { ends: corners, from: i, to: i + 1, middles, middle: i, depth: 0 }, drawing);
  return { places: closed(drawn.places), positions: closed(drawn.positions) };
}

/** Returns whether no line of a ring bends more than the tolerance. */
function isStraight(
  { xs, ys }: Points,
  middles: Points,
  { from, to }: { readonly from: number; readonly to: number },
  tolerance: number,
): boolean {
  for (let i = from; i + 1 < to; i += 1) {
    const x = (middles.xs[i] ?? NaN) - ((xs[i] ?? NaN) + (xs[i + 1] ?? NaN)) / 2;
    const y = (middles.ys[i] ?? NaN) - ((ys[i] ?? NaN) + (ys[i + 1] ?? NaN)) / 2;
    // False for places that are not numbers.
    if (!(Math.hypot(x, y) <= tolerance)) return false;
  }
  return true;
}

/** Returns the corners of a range as a closed ring. */
function joined({ lons, lats, xs, ys }: Points, from: number, to: number): Drawn {
  const length = 2 * (to - from);
  const [places, positions] = [new Float64Array(length), new Float64Array(length)];
  for (let i = from, at = 0; i < to; i += 1, at += 2) {
    // The last corner is the first one, to the last digit.
    const corner = i === to - 1 ? from : i;
    places[at] = xs[corner] ?? NaN;
    places[at + 1] = ys[corner] ?? NaN;
    positions[at] = lons[corner] ?? NaN;
    positions[at + 1] = lats[corner] ?? NaN;
  }
  return { places, positions };
}

function halfway(values: Float64Array): Float64Array {
  const middles = new Float64Array(Math.max(0, values.length - 1));
  for (let i = 0; i < middles.length; i += 1) middles[i] = ((values[i] ?? NaN) + (values[i + 1] ?? NaN)) / 2;
  return middles;
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

/** Adds the corners of a line without its end: as a parabola through its middle, or in parts if it bends too much. */
function drawLine(drawn: MutableDrawn, line: Line, drawing: Drawing): void {
  const { ends, from, to, middles, middle, depth } = line;
  const { frame, tolerance, id } = drawing;
  const x0 = ends.xs[from] ?? NaN;
  const x1 = ends.xs[to] ?? NaN;
  const x = middles.xs[middle] ?? NaN;
  const y0 = ends.ys[from] ?? NaN;
  const y1 = ends.ys[to] ?? NaN;
  const y = middles.ys[middle] ?? NaN;
  const lon0 = ends.lons[from] ?? NaN;
  const lat0 = ends.lats[from] ?? NaN;
  const away = Math.hypot(x - (x0 + x1) / 2, y - (y0 + y1) / 2);
  if (!Number.isFinite(away) || depth > mostDepth) throw areaProblems.beyondProjection(id);
  drawn.places.push(x0, y0);
  drawn.positions.push(lon0, lat0);
  if (away <= tolerance) return;
  const isBeside =
    Math.max(x0, x, x1) + 2 * away < 0 ||
    Math.min(x0, x, x1) - 2 * away > frame.width ||
    Math.max(y0, y, y1) + 2 * away < 0 ||
    Math.min(y0, y, y1) - 2 * away > frame.height;
  if (isBeside) return;
  const lonStep = (ends.lons[to] ?? NaN) - lon0;
  const latStep = (ends.lats[to] ?? NaN) - lat0;
  const pieces = Math.ceil(Math.sqrt(away / tolerance));
  if (pieces > mostPieces) {
    drawn.places.length -= 2;
    drawn.positions.length -= 2;
    const parts = Math.min(mostParts, Math.ceil(pieces / (mostPieces / 2)));
    const [lons, lats] = [new Float64Array(2 * parts + 1), new Float64Array(2 * parts + 1)];
    for (let i = 0; i <= 2 * parts; i += 1) {
      lons[i] = lon0 + (lonStep * i) / (2 * parts);
      lats[i] = lat0 + (latStep * i) / (2 * parts);
    }
    const points = placed(lons, lats, frame);
    for (let i = 0; i < 2 * parts; i += 2)
      drawLine(
        drawn,
        { ends: points, from: i, to: i + 2, middles: points, middle: i + 1, depth: depth + 1 },
        drawing,
      );
    return;
  }
  for (let piece = 1; piece < pieces; piece += 1) {
    const t = piece / pieces;
    const a = (1 - t) * (1 - 2 * t);
    const b = 4 * t * (1 - t);
    const c = t * (2 * t - 1);
    drawn.places.push(a * x0 + b * x + c * x1, a * y0 + b * y + c * y1);
    drawn.positions.push(lon0 + t * lonStep, lat0 + t * latStep);
  }
}

function closed(points: number[]): Float64Array {
  points.push(points[0] ?? NaN, points[1] ?? NaN);
  return new Float64Array(points);
}

/**
 * Returns the area of a ring within the raster. Moves each position outside to the nearest one on the border, which
 * does not change the winding inside: the area to the pole under the result is that of the part within.
 */
function areaWithin({ places, positions }: Drawn, frame: Frame): number {
  const { width, height, pole } = frame;
  let sum = 0;
  for (let i = 0; i + 3 < places.length; i += 2) {
    const x0 = places[i] ?? NaN;
    const y0 = places[i + 1] ?? NaN;
    const x1 = places[i + 2] ?? NaN;
    const y1 = places[i + 3] ?? NaN;
    const lon = positions[i] ?? NaN;
    const lat = positions[i + 1] ?? NaN;
    const lonStep = (positions[i + 2] ?? NaN) - lon;
    const latStep = (positions[i + 3] ?? NaN) - lat;
    let from = 0;
    for (const to of crossings([x0, y0], [x1, y1], frame)) {
      const middle = (from + to) / 2;
      const column = sideOf(x0 + (x1 - x0) * middle, width);
      const row = sideOf(y0 + (y1 - y0) * middle, height);
      if (column === 0 && row === 0)
        sum += areaToPole(
          [lon + lonStep * from, lat + latStep * from, lon + lonStep * to, lat + latStep * to],
          pole,
        );
      else if (row === 0) {
        const side: Side = column < 0 ? 'left' : 'right';
        sum += frame.areaAlong(side, y0 + (y1 - y0) * to) - frame.areaAlong(side, y0 + (y1 - y0) * from);
      } else if (column === 0) {
        const side: Side = row < 0 ? 'upper' : 'lower';
        sum += frame.areaAlong(side, x0 + (x1 - x0) * to) - frame.areaAlong(side, x0 + (x1 - x0) * from);
      }
      from = to;
    }
  }
  return sum;
}

type Place = readonly [x: number, y: number];

const end: readonly number[] = [1];

/** Returns the shares of a line at which it crosses the lines through the borders of the raster, ascending, and its end. */
function crossings([x0, y0]: Place, [x1, y1]: Place, { width, height }: Frame): readonly number[] {
  const isWithin =
    Math.min(x0, x1) >= 0 && Math.max(x0, x1) <= width && Math.min(y0, y1) >= 0 && Math.max(y0, y1) <= height;
  if (isWithin) return end;
  const found: number[] = [1];
  const addCrossing = (a: number, b: number, limit: number) => {
    if (a < limit !== b < limit && a !== limit && b !== limit) found.push((limit - a) / (b - a));
  };
  addCrossing(x0, x1, 0);
  addCrossing(x0, x1, width);
  addCrossing(y0, y1, 0);
  addCrossing(y0, y1, height);
  return found.toSorted((a, b) => a - b);
}

/** Negative before the raster, 0 within, positive after. */
function sideOf(at: number, length: number): -1 | 0 | 1 {
  if (at < 0) return -1;
  return at > length ? 1 : 0;
}

/**
 * Clips a closed ring to a box (Sutherland and Hodgman). Separate pieces stay joined along the sides of the box by
 * lines of zero area. @returns fewer than three positions if nothing is left.
 */
function clipRing(ring: UnitRing, { west, south, east, north }: EarthBox): UnitRing {
  const [xs, ys] = [rangeOf(ring, 0), rangeOf(ring, 1)];
  if (xs.most < west || xs.least > east || ys.most < south || ys.least > north) return new Float64Array(0);
  let cut = ring;
  if (xs.least < west) cut = cutAt(cut, 0, west, 1);
  if (xs.most > east) cut = cutAt(cut, 0, east, -1);
  if (ys.least < south) cut = cutAt(cut, 1, south, 1);
  if (ys.most > north) cut = cutAt(cut, 1, north, -1);
  return cut;
}

/** Returns the minimum and maximum of the longitudes (0) or latitudes (1) of a ring. */
function rangeOf(ring: UnitRing, axis: 0 | 1): { readonly least: number; readonly most: number } {
  let [least, most] = [Infinity, -Infinity];
  for (let i = axis; i < ring.length; i += 2) {
    const value = ring[i] ?? NaN;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

/** Keeps the part beyond `limit` along an axis, in the direction of `sign`. */
function cutAt(ring: UnitRing, axis: 0 | 1, limit: number, sign: 1 | -1): UnitRing {
  const kept: number[] = [];
  const isKept = (at: number) => ((ring[at + axis] ?? NaN) - limit) * sign >= 0;
  for (let i = 0; i + 2 < ring.length; i += 2) {
    const [from, to] = [isKept(i), isKept(i + 2)];
    if (from) kept.push(ring[i] ?? NaN, ring[i + 1] ?? NaN);
    if (from === to) continue;
    // Independent of the direction of a border, so that neighbours are cut alike.
    const [inner, outer] = from ? [i, i + 2] : [i + 2, i];
    const [a, b] = [ring[inner + axis] ?? NaN, ring[outer + axis] ?? NaN];
    const share = (limit - a) / (b - a);
    const other = 1 - axis;
    const [u, v] = [ring[inner + other] ?? NaN, ring[outer + other] ?? NaN];
    const across = u + (v - u) * share;
    kept.push(...(axis === 0 ? [limit, across] : [across, limit]));
  }
  if (kept.length > 0) kept.push(kept[0] ?? NaN, kept[1] ?? NaN);
  return Float64Array.from(kept);
}

/** Shifts a ring to the east by degrees. */
function shifted(ring: UnitRing, degrees: number): UnitRing {
  return degrees === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + degrees : value));
}
