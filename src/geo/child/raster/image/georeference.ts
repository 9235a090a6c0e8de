import gdal, { type Dataset } from 'gdal-async';
import type { Bbox, UploadedRaster } from '../../../engine.ts';
import { quietly } from '../../../gdal/last-error.ts';
import {
  createTransformationToWgs84,
  farthestCoordinate,
  unitOf,
  transformPoint,
  createPointTransformation,
  createTransformation,
} from '../../../gdal/transformation.ts';
import type { Affine, PointTransformation } from '../../../raster-reader.ts';
import { geographicBbox, outlineOf, pixelAt, planeBbox, boxOnEarth, type Plane } from './bbox.ts';

/** CRS of a raster, and the affine transformation from its pixels to coordinates. */
export type Georeference = ReturnType<typeof readGeoreference>;

const identity: Affine = [0, 1, 0, 0, 0, 1];

/** Reads the geotransform of a raster, or fits one to its ground control points. */
export function readGeoreference(dataset: Dataset) {
  const { x: width, y: height } = dataset.rasterSize;
  const affine = geoTransformOf(dataset) ?? fitAffine(controlPointsOf(dataset));
  const nativeWkt = dataset.srs?.toWKT() ?? (dataset.getGCPProjection() || undefined);
  const isPlaced = affine !== undefined;
  return {
    width,
    height,
    /** True if the file has a georeference. */
    isPlaced,
    /** From pixel corners to coordinates; the identity without a georeference. */
    affine: affine ?? identity,
    /** CRS of the coordinates; absent if the file has none. */
    nativeWkt,
    /** The same; also absent without a georeference, or if the CRS has no transformation to longitude and latitude. */
    wkt: isPlaced && nativeWkt !== undefined && leadsToWgs84(nativeWkt) ? nativeWkt : undefined,
  };
}

function geoTransformOf(dataset: Dataset): Affine | undefined {
  const [a, b, c, d, e, f] = dataset.geoTransform ?? [];
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (d === undefined || e === undefined || f === undefined) return undefined;
  // Pixels without an extent have no position.
  return Math.abs(b * f - c * e) > 0 ? [a, b, c, d, e, f] : undefined;
}

function controlPointsOf(dataset: Dataset) {
  return dataset.getGCPs().map((gcp) => ({
    pixel: Number(gcp.dfGCPPixel),
    line: Number(gcp.dfGCPLine),
    x: Number(gcp.dfGCPX),
    y: Number(gcp.dfGCPY),
  }));
}

type GroundControlPoint = ReturnType<typeof controlPointsOf>[number];

/**
 * Fits an affine transformation to ground control points by least squares; two points give one without rotation, as in
 * GDAL. Undefined if the points do not span a plane.
 */
export function fitAffine(points: readonly GroundControlPoint[]): Affine | undefined {
  if (points.length < 3) return throughTwo(points);
  // Sums around the mean keep digits that large coordinates would lose.
  const mean = (of: keyof GroundControlPoint) =>
    points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [pixel0, line0, x0, y0] = [mean('pixel'), mean('line'), mean('x'), mean('y')];
  const centred = points.map(({ pixel, line, x, y }) => ({
    p: pixel - pixel0,
    l: line - line0,
    x: x - x0,
    y: y - y0,
  }));
  const sum = (a: 'p' | 'l', b: 'p' | 'l' | 'x' | 'y') =>
    centred.reduce((total, point) => total + point[a] * point[b], 0);
  const [pp, pl, ll] = [sum('p', 'p'), sum('p', 'l'), sum('l', 'l')];
  const determinant = pp * ll - pl * pl;
  if (!(Math.abs(determinant) > 1e-9 * pp * ll)) return undefined;
  const solve = (of: 'x' | 'y') => {
    const [p, l] = [sum('p', of), sum('l', of)];
    return [(p * ll - l * pl) / determinant, (l * pp - p * pl) / determinant] as const;
  };
  const [[xp, xl], [yp, yl]] = [solve('x'), solve('y')];
  return [x0 - xp * pixel0 - xl * line0, xp, xl, y0 - yp * pixel0 - yl * line0, yp, yl];
}

/** Returns the maximum deviation of an affine transformation from control points, in pixels. */
export function farthestMiss(points: readonly GroundControlPoint[], affine: Affine): number {
  const misses = points.map(({ pixel, line, x, y }) => {
    const [column, row] = pixelAt({ affine }, [x, y]);
    return Math.hypot(column - pixel, row - line);
  });
  return Math.max(0, ...misses);
}

/** The same for a raster with control points only; zero if it has a geotransform. */
export function missOfControlPoints(dataset: Dataset, { affine, isPlaced }: Georeference): number {
  if (!isPlaced || geoTransformOf(dataset) !== undefined) return 0;
  return farthestMiss(controlPointsOf(dataset), affine);
}

function throughTwo([a, b]: readonly GroundControlPoint[]): Affine | undefined {
  if (a === undefined || b === undefined || a.pixel === b.pixel || a.line === b.line) return undefined;
  const width = (b.x - a.x) / (b.pixel - a.pixel);
  const height = (b.y - a.y) / (b.line - a.line);
  return [a.x - width * a.pixel, width, 0, a.y - height * a.line, 0, height];
}

/** Returns the meaning of the raster's box: see `UploadedRaster`. */
export function placeOf({ isPlaced, nativeWkt, wkt }: Georeference): UploadedRaster['place'] {
  if (wkt !== undefined) return 'earth';
  return isPlaced && nativeWkt !== undefined ? 'elsewhere' : 'unknown';
}

/** False for local coordinates, for another planet, and for a CRS that PROJ does not understand. */
function leadsToWgs84(wkt: string): boolean {
  if (gdal.SpatialReference.fromWKT(wkt).isLocal()) return false;
  return quietly(() => createTransformationToWgs84({ wkt })) !== undefined;
}

/** The last box, because a process often asks for that of one grid again: for each output of a run, and for the COG of an upload. */
let lastBox: { readonly of: string; readonly box: Bbox } | undefined;

/**
 * Returns the box around a raster: in longitude and latitude, or in its own coordinates if it has no `wkt`.
 * @throws {Problem} if its coordinates do not fit its CRS.
 */
export function bboxOf(georeference: Georeference): [...Bbox] {
  const of = JSON.stringify(georeference);
  if (lastBox?.of !== of) lastBox = { of, box: computeBbox(georeference) };
  return [...lastBox.box];
}

function computeBbox(georeference: Georeference): [...Bbox] {
  if (georeference.wkt === undefined) return [...planeBbox(outlineOf(georeference))];
  const crs = { wkt: georeference.wkt };
  const { degrees } = unitOf(crs);
  if (degrees === undefined) return [...boxOnEarth(georeference, createPlane(georeference.wkt))];
  const transformation = createTransformationToWgs84(crs);
  const farthest = farthestCoordinate(crs);
  const onEarth = outlineOf(georeference).map(([x, y]) =>
    Math.abs(x) > farthest || Math.abs(y) > farthest
      ? ([Number.NaN, Number.NaN] as const)
      : transformPoint(transformation, x, y),
  );
  const [, , , , a, b] = georeference.affine;
  return [...geographicBbox(onEarth, Math.hypot(a, b) * degrees)];
}

/** Tolerance in metres of a round trip, for rounding and datum changes. */
const roundTripMetres = 1;

/** @param wkt a projected CRS with a transformation to WGS 84. */
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
        // A cylinder continues without end; elsewhere PROJ maps places beyond the earth to its other side.
        const away = worldWidth === undefined ? dx : dx - worldWidth * Math.round(dx / worldWidth);
        if (isFar(i) || !(Math.hypot(away, dy) <= tolerance)) [xs[i], ys[i]] = [NaN, NaN];
      }
    },
    poles: ([90, -90] as const)
      .map((latitude) => ({ latitude, at: transformPoint(back, 0, latitude) }))
      .filter(({ at }) => worldWidth === undefined && at.every(Number.isFinite)),
  };
}

/** Tolerance in degrees for a pole at the edge of a grid, because of truncated digits. */
const poleRoundingDegrees = 1e-6;

/** Converts coordinates of a CRS with a transformation to WGS 84 to longitudes and latitudes, in place; NaN, NaN beyond the earth. */
export function earthOf(wkt: string): PointTransformation {
  const { degrees } = unitOf({ wkt });
  if (degrees === undefined) return createPlane(wkt).toEarth;
  const toWgs84 = createPointTransformation(createTransformationToWgs84({ wkt }));
  const farthest = farthestCoordinate({ wkt });
  return (xs, ys) => {
    for (let i = 0; i < xs.length; i += 1) {
      const latitude = (ys[i] ?? NaN) * degrees;
      if (Math.abs(latitude) <= 90 + poleRoundingDegrees && Math.abs(xs[i] ?? NaN) <= farthest)
        ys[i] = Math.max(-90, Math.min(90, latitude)) / degrees;
      else [xs[i], ys[i]] = [NaN, NaN];
    }
    toWgs84(xs, ys);
  };
}

/**
 * Returns the circumference of the earth in a cylindrical projection, which has parallel, equidistant meridians;
 * undefined for any other. @param tolerance in units of the projection.
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
  // One of the steps may cross the edge of the plane.
  const width = 6 * (steps.toSorted((a, b) => a - b)[2] ?? NaN);
  const isCylinder =
    equator.xs.every((x, i) => Math.abs(x - (north.xs[i] ?? NaN)) <= tolerance) &&
    north.ys.every((y) => Math.abs(y - (north.ys[0] ?? NaN)) <= tolerance) &&
    steps.filter((step) => Math.abs(6 * step - width) <= tolerance).length >= 4;
  return isCylinder ? width : undefined;
}
