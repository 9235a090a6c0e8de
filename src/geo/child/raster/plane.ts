import {
  createPointTransformation,
  transformPoint,
  createTransformation,
  createTransformationToWgs84,
  farthestCoordinate,
  unitOf,
} from '../../gdal/transformation.ts';
import type { PointTransformation } from '../../raster-reader.ts';

/** How the plane of a projection lies on the earth. */
export interface Plane {
  /** Moves positions to longitudes and latitudes in degrees, in place; NaN, NaN where the plane goes beyond the earth. */
  readonly toEarth: PointTransformation;
  /** Where the plane has poles as points. */
  readonly poles: readonly { readonly latitude: 90 | -90; readonly at: readonly [number, number] }[];
}

/** Metres by which a position may come back elsewhere from the earth, for rounding and changes of datum. */
const roundTripMetres = 1;

/** @param wkt a projected CRS that leads to WGS 84. */
export function createPlane(wkt: string): Plane {
  const toWgs84 = createPointTransformation(createTransformationToWgs84({ wkt }));
  const back = createTransformation({ epsg: 4326 }, { wkt });
  const fromWgs84 = createPointTransformation(back);
  const farthest = farthestCoordinate({ wkt });
  const tolerance = roundTripMetres / unitOf({ wkt }).metres;
  const worldWidth = widthOfCylinder(fromWgs84, tolerance);
  return {
    toEarth(xs, ys) {
      const [fromX, fromY] = [xs.slice(), ys.slice()];
      const isFar = (i: number) => Math.abs(fromX[i] ?? 0) > farthest || Math.abs(fromY[i] ?? 0) > farthest;
      for (let i = 0; i < xs.length; i += 1) if (isFar(i)) [xs[i], ys[i]] = [0, 0];
      toWgs84(xs, ys);
      const [toX, toY] = [xs.slice(), ys.slice()];
      fromWgs84(toX, toY);
      for (let i = 0; i < xs.length; i += 1) {
        const dx = (toX[i] ?? NaN) - (fromX[i] ?? NaN);
        const dy = (toY[i] ?? NaN) - (fromY[i] ?? NaN);
        // A cylinder is unrolled without end; anywhere else PROJ takes what lies beyond the earth to its other side.
        const away = worldWidth === undefined ? dx : dx - worldWidth * Math.round(dx / worldWidth);
        if (isFar(i) || !(Math.hypot(away, dy) <= tolerance)) [xs[i], ys[i]] = [NaN, NaN];
      }
    },
    poles: ([90, -90] as const)
      .map((latitude) => ({ latitude, at: transformPoint(back, 0, latitude) }))
      .filter(({ at }) => worldWidth === undefined && at.every(Number.isFinite)),
  };
}

/**
 * Returns the way around the earth in a cylindrical projection, whose meridians are parallel and evenly apart; undefined in
 * any other. @param tolerance in units of the projection.
 */
export function widthOfCylinder(fromWgs84: PointTransformation, tolerance: number): number | undefined {
  const meridians = [-150, -90, -30, 30, 90, 150];
  const along = (latitude: number) => {
    const [xs, ys] = [Float64Array.from(meridians), new Float64Array(meridians.length).fill(latitude)];
    fromWgs84(xs, ys);
    return { xs, ys };
  };
  const [equator, north] = [along(0), along(50)];
  const steps = Array.from(equator.xs.subarray(1), (x, i) => x - (equator.xs[i] ?? 0));
  // One of the steps may lead over the edge of the plane.
  const width = 6 * (steps.toSorted((a, b) => a - b)[2] ?? NaN);
  const isCylinder =
    equator.xs.every((x, i) => Math.abs(x - (north.xs[i] ?? NaN)) <= tolerance) &&
    north.ys.every((y) => Math.abs(y - (north.ys[0] ?? NaN)) <= tolerance) &&
    steps.filter((step) => Math.abs(6 * step - width) <= tolerance).length >= 4;
  return isCylinder ? width : undefined;
}
