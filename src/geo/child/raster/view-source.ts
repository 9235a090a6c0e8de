import { createPointTransformation } from '../../gdal/transform-points.ts';
import {
  createTransformation,
  createTransformationToWgs84,
  farthestCoordinate,
  unitOf,
} from '../../gdal/transformation.ts';
import type { PointTransformation } from '../../raster-reader.ts';
import { type Grid, pixelAt, placeAt } from './bbox.ts';
import { nearest } from './longitudes.ts';
import { widthOfCylinder } from './plane.ts';

/** Where places of the earth lie in a raster. */
export interface ViewSource {
  /** Longitude of the middle of the raster; NaN where that is off the earth. */
  readonly middleLongitude: number;
  /** True when the coordinates of the raster go on around the earth without end, as degrees do. */
  readonly isUnrolled: boolean;
  /**
   * Moves longitudes and latitudes in degrees (WGS 84) to columns and rows, in place; NaN, NaN where PROJ knows no way.
   * @param middle the longitude at the middle of the raster, from which longitudes are counted without leap: those within
   *   half a turn of it lie on its own side.
   */
  toPixels(lons: Float64Array, lats: Float64Array, middle: number): void;
}

/** Degrees by which a place may come back elsewhere: more is the other side of the earth, where PROJ takes some places to. */
const roundTripDegrees = 1e-3;
const cylinderToleranceMetres = 1;

/** @param wkt a CRS that leads to WGS 84. */
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

/** Returns the way around the earth in units of a CRS in which that is a straight line. */
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
  /** Where places were, in degrees. */
  readonly lons: Float64Array;
  readonly lats: Float64Array;
  /** Where PROJ has taken them. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly farthest: number;
}

/** Leaves NaN of the places that do not come back to where they were. */
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
