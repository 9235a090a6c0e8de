import { rasterProblems } from '../../../../messages/raster/english.ts';
import type { Bbox } from '../../../engine.ts';
import type { Affine, PointTransformation } from '../../../raster-reader.ts';

type Point = readonly [x: number, y: number];
export type Grid = { readonly width: number; readonly height: number; readonly affine: Affine };

/** Position of a projection's plane on the earth. */
export interface Plane {
  /** Converts positions to longitudes and latitudes in degrees, in place; NaN, NaN beyond the earth. */
  readonly toEarth: PointTransformation;
  /** Poles that are points in the plane. */
  readonly poles: readonly { readonly latitude: 90 | -90; readonly at: readonly [number, number] }[];
}

const pointsPerEdge = 64;
const roundingDegrees = 1e-5;

/** Returns points along the outline of a raster in its own coordinates; the first is not repeated. */
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

/** Returns the coordinates of a position in pixels. */
export function placeAt({ affine }: Pick<Grid, 'affine'>, pixel: number, line: number): Point {
  const [x, a, b, y, c, d] = affine;
  return [x + a * pixel + b * line, y + c * pixel + d * line];
}

/** Returns pixel and line of coordinates, integers at the corners of pixels. */
export function pixelAt({ affine }: Pick<Grid, 'affine'>, [x, y]: Point): Point {
  const [x0, a, b, y0, c, d] = affine;
  const determinant = a * d - b * c;
  return [(d * (x - x0) - b * (y - y0)) / determinant, (a * (y - y0) - c * (x - x0)) / determinant];
}

export function planeBbox(points: readonly Point[]): Bbox {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * Returns the box around an outline on the earth in degrees of longitude and latitude. West is greater than east across
 * the antimeridian (RFC 7946, 5.2). An outline around a pole includes the pole and every longitude.
 * @param pixelDegrees height of a pixel, by which a grid may extend beyond a pole.
 * @throws {Problem} if no point is on the earth.
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
  // Steps of a global grid with few digits miss the full turn by less than a pixel.
  if (east - west >= 360 - roundingDegrees) return [-180, south, 180, north];
  return west >= -180 && east <= 180 ? [west, south, east, north] : [wrap(west), south, wrap(east), north];
}

function wrap(lon: number): number {
  return lon > 180 || lon < -180 ? nearest(lon) : lon;
}

/** Two longitudes in degrees, and everything between them on the shorter way. */
type Stretch = readonly [number, number];

/** Smaller gaps in degrees are ignored. */
const gapDegrees = 1e-5;

/** A stretch in degrees east of a first longitude, with its original ends between -180 and 180. */
interface Interval {
  readonly from: number;
  readonly to: number;
  readonly west: number;
  readonly east: number;
}

/**
 * Returns the smallest range of longitudes around all stretches; west is greater than east across the antimeridian.
 * @param stretches at least one.
 */
function longitudesOf(stretches: readonly Stretch[]): readonly [west: number, east: number] {
  const [origin = 0] = stretches[0] ?? [];
  const intervals = stretches
    .flatMap((stretch) => intervalsOf(stretch, origin))
    .toSorted((a, b) => a.from - b.from);
  const [first] = intervals;
  if (first === undefined) return [-180, 180];
  let end = first;
  let gap = { width: -Infinity, west: first.west, east: first.east };
  const extend = (next: Interval, from: number) => {
    if (from - end.to > gap.width) gap = { width: from - end.to, west: end.east, east: next.west };
    if (next.to > end.to) end = next;
  };
  for (const next of intervals) extend(next, next.from);
  extend(first, first.from + 360);
  if (gap.width <= gapDegrees) return [-180, 180];
  return [gap.east === 180 ? -180 : gap.east, gap.west === -180 ? 180 : gap.west];
}

function intervalsOf([one, other]: Stretch, origin: number): readonly Interval[] {
  const turn = nearest(other - one);
  const [west, east] = turn < 0 ? [other, one] : [one, other];
  const from = nearest(west - origin);
  const to = from + Math.abs(turn);
  if (to <= 180) return [{ from, to, west, east }];
  // Beyond the opposite of the origin, it continues from the other side.
  const seam = nearest(origin + 180);
  return [
    { from, to: 180, west, east: seam },
    { from: -180, to: to - 360, west: seam, east },
  ];
}

/** Normalizes an angle to -180 to 180 degrees. */
export function nearest(turn: number): number {
  return turn - 360 * Math.round(turn / 360);
}

/** Cells per side whose corners are examined, including the edges. */
const cells = 64;
const perRow = cells + 1;
const bisections = 36;
/** Minimum distance in pixels of a pole from the edge to count as inside. */
const withinPixels = 1e-6;
/** Distance to a pole in degrees (some metres) within which rounding changes longitudes. */
const poleNoise = 1e-4;

/** Positions in a raster in pixels, with longitudes and latitudes; NaN off the earth. */
interface Places {
  readonly pixels: Float64Array;
  readonly lines: Float64Array;
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

/**
 * Returns the box around the part of a projected raster that is on the earth, in longitude and latitude. West is
 * greater than east across the antimeridian (RFC 7946, 5.2); with a pole, it has every longitude.
 * @throws {Problem} if no part of the raster is on the earth.
 */
export function boxOnEarth(grid: Grid, plane: Plane): Bbox {
  const corners = placesOf(
    Float64Array.from({ length: perRow ** 2 }, (_, i) => (grid.width * (i % perRow)) / cells),
    Float64Array.from({ length: perRow ** 2 }, (_, i) => (grid.height * Math.floor(i / perRow)) / cells),
    grid,
    plane,
  );
  const neighbours = [...neighbourPairs()];
  const horizon = horizonOf(corners, neighbours, grid, plane);
  let [south, north] = [90, -90];
  for (const lat of [...corners.lats, ...horizon.places.lats]) {
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  if (south > north) throw rasterProblems.wrongCrs();
  const poles = plane.poles
    .filter(({ at }) => isWithin(pixelAt(grid, at), grid))
    .map(({ latitude }) => latitude);
  const [west, east] =
    poles.length > 0 ? [-180, 180] : longitudesOf(stretchesOf(corners, neighbours, horizon));
  return [west, Math.min(south, ...poles), east, Math.max(north, ...poles)];
}

function placesOf(pixels: Float64Array, lines: Float64Array, grid: Grid, { toEarth }: Plane): Places {
  const [lons, lats] = [new Float64Array(pixels.length), new Float64Array(pixels.length)];
  for (let i = 0; i < pixels.length; i += 1)
    [lons[i], lats[i]] = placeAt(grid, pixels[i] ?? 0, lines[i] ?? 0);
  toEarth(lons, lats);
  return { pixels, lines, lons, lats };
}

/** Yields the indexes of adjacent corners of cells. */
function* neighbourPairs(): Generator<readonly [number, number]> {
  for (let i = 0; i < perRow ** 2; i += 1) {
    if (i % perRow < cells) yield [i, i + 1];
    if (i + perRow < perRow ** 2) yield [i, i + perRow];
  }
}

/** Finds the horizon between neighbours of which one is on the earth: the last positions on the earth. */
function horizonOf(
  corners: Places,
  neighbours: readonly (readonly [number, number])[],
  grid: Grid,
  plane: Plane,
) {
  const isOn = (i: number) => !Number.isNaN(corners.lats[i]);
  const pairs = neighbours
    .filter(([one, other]) => isOn(one) !== isOn(other))
    .map(([one, other]) => (isOn(one) ? ([one, other] as const) : ([other, one] as const)));
  const low = new Float64Array(pairs.length);
  const high = new Float64Array(pairs.length).fill(1);
  const along = (values: Float64Array, shares: Float64Array) =>
    Float64Array.from(pairs, ([on, off], i) => {
      const from = values[on] ?? 0;
      return from + ((values[off] ?? 0) - from) * (shares[i] ?? 0);
    });
  const at = (shares: Float64Array) =>
    placesOf(along(corners.pixels, shares), along(corners.lines, shares), grid, plane);
  for (let step = 0; step < bisections && pairs.length > 0; step += 1) {
    const middle = low.map((value, i) => (value + (high[i] ?? 0)) / 2);
    const { lats } = at(middle);
    for (const [i, share] of middle.entries()) (Number.isNaN(lats[i]) ? high : low)[i] = share;
  }
  return { pairs, places: at(low) };
}

/** Returns the stretches of longitude between neighbours on the earth, and from them to the horizon. */
function stretchesOf(
  { lons, lats }: Places,
  neighbours: readonly (readonly [number, number])[],
  horizon: ReturnType<typeof horizonOf>,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const add = (lon = NaN, lat = NaN, otherLon = NaN, otherLat = NaN) => {
    const ends = [
      ...(Math.abs(lat) < 90 - poleNoise ? [lon] : []),
      ...(Math.abs(otherLat) < 90 - poleNoise ? [otherLon] : []),
    ];
    const [from, to = from] = ends;
    if (from !== undefined && to !== undefined) stretches.push([from, to]);
  };
  for (const [one, other] of neighbours) add(lons[one], lats[one], lons[other], lats[other]);
  for (const [i, [on]] of horizon.pairs.entries())
    add(lons[on], lats[on], horizon.places.lons[i], horizon.places.lats[i]);
  return stretches;
}

function isWithin([pixel, line]: readonly [number, number], { width, height }: Grid): boolean {
  const isBetween = (value: number, size: number) => value > withinPixels && value < size - withinPixels;
  return isBetween(pixel, width) && isBetween(line, height);
}
