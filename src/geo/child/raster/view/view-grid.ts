import type { Bbox } from '../../../engine.ts';
import { nearest, type Grid, pixelAt, placeAt } from '../image/bbox.ts';
import {
  createPointTransformation,
  createTransformation,
  createTransformationToWgs84,
  farthestCoordinate,
  unitOf,
} from '../../../gdal/transformation.ts';
import type { PointTransformation } from '../../../raster-reader.ts';
import { widthOfCylinder } from '../image/georeference.ts';

/** Source pixels of the points of a box, row by row; NaN, NaN for none. */
export interface ViewGrid {
  /** Points per side. */
  readonly side: number;
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** Points per call; more would make the texts between the binding and GDAL too large. */
const pointsAtOnce = 8192;
/** Inset in metres of the points at the ends of a full turn, so that a projection maps each to its own edge. */
const inset = 0.01;

export function firstGrid(box: ViewBox, source: ViewSource, side: number): ViewGrid {
  const grid = emptyGrid(side);
  fill(grid, box, source, Uint32Array.from(grid.columns.keys()));
  return grid;
}

/** Halves the step of a grid; every second point is copied. */
export function finerGrid(before: ViewGrid, box: ViewBox, source: ViewSource): ViewGrid {
  const grid = emptyGrid(2 * before.side - 1);
  const wanted: number[] = [];
  for (let j = 0; j < grid.side; j += 1) {
    for (let i = 0; i < grid.side; i += 1) {
      const at = j * grid.side + i;
      if (i % 2 === 0 && j % 2 === 0) {
        const from = (j / 2) * before.side + i / 2;
        [grid.columns[at], grid.rows[at]] = [before.columns[from] ?? NaN, before.rows[from] ?? NaN];
      } else if (hasImageAround(before, i / 2, j / 2)) wanted.push(at);
    }
  }
  fill(grid, box, source, Uint32Array.from(wanted));
  return grid;
}

function emptyGrid(side: number): ViewGrid {
  return {
    side,
    columns: new Float64Array(side * side).fill(NaN),
    rows: new Float64Array(side * side).fill(NaN),
  };
}

/** Returns whether a point within one and a half steps has an image; otherwise none is searched. */
function hasImageAround({ side, columns }: ViewGrid, i: number, j: number): boolean {
  const [top, bottom] = [Math.max(0, Math.ceil(j) - 2), Math.min(side - 1, Math.floor(j) + 2)];
  const [left, right] = [Math.max(0, Math.ceil(i) - 2), Math.min(side - 1, Math.floor(i) + 2)];
  for (let row = top; row <= bottom; row += 1)
    for (let column = left; column <= right; column += 1)
      if (!Number.isNaN(columns[row * side + column])) return true;
  return false;
}

function fill(
  { side, columns, rows }: ViewGrid,
  box: ViewBox,
  source: ViewSource,
  wanted: Uint32Array,
): void {
  for (let start = 0; start < wanted.length; start += pointsAtOnce) {
    const some = wanted.subarray(start, start + pointsAtOnce);
    const across = Float64Array.from(some, (at) => (at % side) / (side - 1));
    const down = Float64Array.from(some, (at) => Math.floor(at / side) / (side - 1));
    movePlaces(across, down, box, source);
    for (const [i, at] of some.entries()) [columns[at], rows[at]] = [across[i] ?? NaN, down[i] ?? NaN];
  }
}

/** Converts positions in a box, as shares of its sides from the upper left, to columns and rows of the raster, in place. */
export function movePlaces(across: Float64Array, down: Float64Array, box: ViewBox, source: ViewSource): void {
  const { left, right, top, bottom, isWholeTurn, middle } = box;
  const margin = isWholeTurn ? inset : 0;
  for (const [i, share] of across.entries()) {
    const x = left + (right - left) * share;
    across[i] = longitudeOf(Math.max(left + margin, Math.min(right - margin, x)));
    down[i] = latitudeOf(top + (bottom - top) * (down[i] ?? NaN));
  }
  source.toPixels(across, down, middle);
}

/** Half the circumference of the earth in Web Mercator, in metres. */
const halfWorld = 20_037_508.342789244;
const world = 2 * halfWorld;
const radius = halfWorld / Math.PI;
/** The latitude at which Web Mercator ends. */
const highestLatitude = 85.0511287798066;
/** Margin of a box around the raster, as a share of its sides: less than half a cell of the finest mesh. */
const padding = 1 / 2048;

/** A rectangle of Web Mercator in metres; across 180° it continues to the east. */
export interface ViewBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** True if it is as wide as the world. */
  readonly isWholeTurn: boolean;
  /** Longitude of the middle of the raster, in the box's turn. */
  readonly middle: number;
}

const longitudeOf = (x: number) => (x / halfWorld) * 180;
const latitudeOf = (y: number) => (Math.atan(Math.sinh(y / radius)) * 180) / Math.PI;
const xOf = (longitude: number) => (longitude / 180) * halfWorld;
const yOf = (latitude: number) => radius * Math.asinh(Math.tan((latitude * Math.PI) / 180));

/**
 * Returns the box around a raster, with a small margin; undefined if no part is within Web Mercator.
 * @param bbox box of the raster on the earth; west may be greater than east.
 */
export function viewBoxOf([west, south, east, north]: Bbox, source: ViewSource): ViewBox | undefined {
  const low = yOf(Math.max(-highestLatitude, south));
  const high = yOf(Math.min(highestLatitude, north));
  const [left, right] = [xOf(west), xOf(east < west ? east + 360 : east)];
  const [padX, padY] = [(right - left) * padding, (high - low) * padding];
  const vertical = { top: Math.min(halfWorld, high + padY), bottom: Math.max(-halfWorld, low - padY) };
  if (!(vertical.top > vertical.bottom)) return undefined;
  if (right - left + 2 * padX >= world) {
    const begin = beginOfTurn(source, latitudeOf((high + low) / 2));
    const middle = begin + 180;
    return { ...vertical, left: xOf(begin), right: xOf(begin) + world, isWholeTurn: true, middle };
  }
  if (!(right > left)) return undefined;
  const middle = longitudeOf((left + right) / 2);
  return { ...vertical, left: left - padX, right: right + padX, isWholeTurn: false, middle };
}

/** Number of longitudes that are sampled for a discontinuity, which is then located by bisection. */
const longitudes = 72;
/** To half a millimetre: closer to it, PROJ cannot distinguish the two edges. */
const bisections = 30;

/**
 * Returns the start of a box of a full turn: opposite to the middle of a raster in degrees or on a cylinder, at the
 * seam of a projection, otherwise at 180°.
 */
function beginOfTurn(source: ViewSource, latitude: number): number {
  const { middleLongitude } = source;
  if (source.isUnrolled) return Number.isFinite(middleLongitude) ? middleLongitude - 180 : -180;
  const at = (lons: readonly number[]) => {
    const [columns, rows] = [Float64Array.from(lons), new Float64Array(lons.length).fill(latitude)];
    source.toPixels(columns, rows, 0);
    return { columns, rows };
  };
  const around = Array.from({ length: longitudes + 1 }, (_, i) => -180 + 1e-9 + (360 * i) / longitudes);
  const found = leapsOf(at(around));
  const widest = found.reduce((best, leap, i) => (leap > (found[best] || -1) ? i : best), 0);
  const [first] = leapsOf(at([around[widest] ?? 0, around[widest + 1] ?? 0]));
  let [from, to, leap] = [around[widest] ?? 0, around[widest + 1] ?? 0, first ?? NaN];
  const whole = leap;
  for (let step = 0; step < bisections; step += 1) {
    const middle = (from + to) / 2;
    const [before = NaN, after = NaN] = leapsOf(at([from, middle, to]));
    if (before > after) [to, leap] = [middle, before];
    else [from, leap] = [middle, after];
  }
  // In a continuous plane, the two ends meet.
  return leap > whole / 2 ? nearest((from + to) / 2) : -180;
}

/** Returns the distances between adjacent places, in pixels. */
function leapsOf({
  columns,
  rows,
}: {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}): number[] {
  return Array.from(columns.subarray(1), (column, i) =>
    Math.hypot(column - (columns[i] ?? NaN), (rows[i + 1] ?? NaN) - (rows[i] ?? NaN)),
  );
}

/** Conversion from places on the earth to pixels of a raster. */
export interface ViewSource {
  /** Longitude of the middle of the raster; NaN if that is off the earth. */
  readonly middleLongitude: number;
  /** True if the coordinates of the raster continue around the earth without end, like degrees. */
  readonly isUnrolled: boolean;
  /**
   * Converts longitudes and latitudes in degrees (WGS 84) to columns and rows, in place; NaN, NaN if PROJ has no solution.
   * @param middle longitude at the middle of the raster, around which longitudes are continuous: those within half a turn are on its own
   * side.
   */
  toPixels(lons: Float64Array, lats: Float64Array, middle: number): void;
}

/** Tolerance of a round trip in degrees: a greater error means the other side of the earth, to which PROJ maps some places. */
const roundTripDegrees = 1e-3;
const cylinderToleranceMetres = 1;

/** @param wkt a CRS with a transformation to WGS 84. */
export function createViewSource(grid: Grid, wkt: string): ViewSource {
  const toWgs84 = createPointTransformation(createTransformationToWgs84({ wkt }));
  const fromWgs84 = createPointTransformation(createTransformation({ epsg: 4326 }, { wkt }));
  const farthest = farthestCoordinate({ wkt });
  const turn = turnOf(wkt, fromWgs84);
  const [middleX, middleY] = placeAt(grid, grid.width / 2, grid.height / 2);
  const [middleLongitude = NaN] = onEarth([middleX, middleY], toWgs84, farthest);
  return {
    middleLongitude,
    isUnrolled: turn !== undefined,
    toPixels(lons, lats, middle) {
      const [xs, ys] = [lons.map(nearest), lats.slice()];
      fromWgs84(xs, ys);
      dropStrays({ lons, lats, xs, ys, farthest }, toWgs84);
      for (let i = 0; i < lons.length; i += 1) {
        let x = xs[i] ?? NaN;
        if (turn !== undefined) {
          const expected = middleX + (((lons[i] ?? NaN) - middle) / 360) * turn;
          x += turn * Math.round((expected - x) / turn);
        }
        [lons[i], lats[i]] = pixelAt(grid, [x, ys[i] ?? NaN]);
      }
    },
  };
}

/** Returns the circumference of the earth in units of a CRS in which that is a straight line. */
function turnOf(wkt: string, fromWgs84: PointTransformation): number | undefined {
  const { degrees, metres } = unitOf({ wkt });
  if (degrees !== undefined) return 360 / degrees;
  return widthOfCylinder(fromWgs84, cylinderToleranceMetres / metres);
}

function onEarth([x, y]: readonly [number, number], toWgs84: PointTransformation, farthest: number) {
  if (!(Math.abs(x) <= farthest && Math.abs(y) <= farthest)) return [];
  const [lons, lats] = [Float64Array.of(x), Float64Array.of(y)];
  toWgs84(lons, lats);
  return Number.isFinite(lons[0]) ? [...lons] : [];
}

interface Moved {
  /** Original positions in degrees. */
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  /** Positions from PROJ. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly farthest: number;
}

/** Sets positions to NaN whose round trip fails. */
function dropStrays({ lons, lats, xs, ys, farthest }: Moved, toWgs84: PointTransformation): void {
  const there = Uint32Array.from(
    xs.keys().filter((i) => Math.abs(xs[i] ?? NaN) <= farthest && Math.abs(ys[i] ?? NaN) <= farthest),
  );
  const backX = Float64Array.from(there, (i) => xs[i] ?? NaN);
  const backY = Float64Array.from(there, (i) => ys[i] ?? NaN);
  toWgs84(backX, backY);
  let next = 0;
  for (let i = 0; i < xs.length; i += 1) {
    const isThere = there[next] === i;
    const [lon, lat] = isThere ? [backX[next] ?? NaN, backY[next] ?? NaN] : [NaN, NaN];
    if (isThere) next += 1;
    const east = nearest(lon - (lons[i] ?? NaN)) * Math.cos((lat * Math.PI) / 180);
    if (!(Math.abs(east) <= roundTripDegrees && Math.abs(lat - (lats[i] ?? NaN)) <= roundTripDegrees))
      [xs[i], ys[i]] = [NaN, NaN];
  }
}
