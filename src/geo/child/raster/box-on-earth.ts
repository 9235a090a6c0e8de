import { rasterProblems } from '../../../messages/raster.ts';
import type { Bbox } from '../../engine.ts';
import { type Grid, pixelAt, placeAt } from './bbox.ts';
import { longitudesOf, type Stretch } from './longitudes.ts';
import type { Plane } from './plane.ts';

/** A raster is looked at in the corners of so many cells a side, its edges included. */
const cells = 64;
const perRow = cells + 1;
const bisections = 36;
/** Pixels by which a pole has to be away from the edge to lie within. */
const withinPixels = 1e-6;
/** Closer to a pole, in degrees (some metres), rounding turns longitudes. */
const poleNoise = 1e-4;

/** Places of a raster, in pixels, with their longitudes and latitudes; NaN off the earth. */
interface Places {
  readonly pixels: Float64Array;
  readonly lines: Float64Array;
  readonly lons: Float64Array;
  readonly lats: Float64Array;
}

/**
 * Returns the box around all of a projected raster that lies on the earth, in longitude and latitude. West is greater than
 * east when it crosses the antimeridian (RFC 7946, 5.2); with a pole it has every longitude.
 * @throws {Problem} when no part of the raster lies on the earth.
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

/** Yields the corners of cells that are next to each other, by their indexes. */
function* neighbourPairs(): Generator<readonly [number, number]> {
  for (let i = 0; i < perRow ** 2; i += 1) {
    if (i % perRow < cells) yield [i, i + 1];
    if (i + perRow < perRow ** 2) yield [i, i + perRow];
  }
}

/** Finds where the earth ends between neighbours of which one lies on it: the last places on the earth. */
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
