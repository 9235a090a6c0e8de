import gdal, { type CoordinateTransformation } from 'gdal-async';
import type { PointTransformation, RasterCrs } from '../raster-reader.ts';
import { quietly } from './last-error.ts';

export type Crs = { readonly wkt: string } | { readonly epsg: number } | { readonly proj: string };

/** Recently created transformations by source and target: PROJ takes milliseconds for one, and a raster uses some of them several times. */
const made = new Map<string, CoordinateTransformation>();
const mostKept = 8;

/**
 * Creates a transformation with easting or longitude first on both sides, whatever axis order a CRS defines (EPSG:4326
 * is latitude first). All transformations are created here, and may be cached.
 * @throws {Error} if PROJ does not know a CRS or has no operation between them.
 */
export function createTransformation(from: Crs, to: Crs): CoordinateTransformation {
  const key = JSON.stringify([from, to]);
  const known = made.get(key);
  if (known !== undefined) return known;
  gdal.config.set('OSR_DEFAULT_AXIS_MAPPING_STRATEGY', 'TRADITIONAL_GIS_ORDER');
  const transformation = new gdal.CoordinateTransformation(referenceOf(from), referenceOf(to));
  const [oldest] = made.keys();
  if (made.size === mostKept && oldest !== undefined) made.delete(oldest);
  made.set(key, transformation);
  return transformation;
}

/** Creates a transformation to longitude and latitude on WGS 84, in this order. @throws {Error} like `createTransformation`. */
export function createTransformationToWgs84(source: Crs): CoordinateTransformation {
  return createTransformation(source, { epsg: 4326 });
}

/** Projections extend around the earth at most twice, and false eastings may start with a zone number. */
const farthestMetres = 1e8;
/** Several turns around the earth in any unit of angle. */
const farthestAngle = 1000;

/**
 * Returns the maximum distance of a place on the earth from the origin of a CRS, in its unit. PROJ and GDAL normalize
 * some coordinates beyond it one turn at a time, for any number of turns.
 */
export function farthestCoordinate(crs: Crs): number {
  const srs = referenceOf(crs);
  return srs.isGeographic() ? farthestAngle : farthestMetres / srs.getLinearUnits().value;
}

/** Returns the unit of a CRS: degrees for a geographic one, metres for any other. */
export function unitOf(crs: Crs): { readonly degrees?: number; readonly metres: number } {
  const srs = referenceOf(crs);
  if (!srs.isGeographic()) return { metres: srs.getLinearUnits().value };
  return { degrees: srs.getAngularUnits().value * (180 / Math.PI), metres: Number.NaN };
}

function referenceOf(crs: Crs): gdal.SpatialReference {
  if ('proj' in crs) return gdal.SpatialReference.fromProj4(crs.proj);
  return 'wkt' in crs ? gdal.SpatialReference.fromWKT(crs.wkt) : gdal.SpatialReference.fromEPSG(crs.epsg);
}

/** Little-endian WKB of a line: byte order, type, number of points; then pairs of doubles. */
const headerBytes = 9;
const lineString = 2;

/**
 * Transforms many points with one call of GDAL, which is several times faster than one call each. If one of them has no
 * image, the call fails, and each is transformed separately.
 */
export function createPointTransformation(transformation: CoordinateTransformation): PointTransformation {
  return (xs, ys) => {
    const line = gdal.Geometry.fromWKB(encodeLine(xs, ys));
    try {
      line.transform(transformation);
      decodeLine(line.toWKB('LSB'), xs, ys);
    } catch {
      for (let i = 0; i < xs.length; i += 1) {
        [xs[i], ys[i]] = transformPoint(transformation, xs[i] ?? 0, ys[i] ?? 0);
      }
    }
  };
}

function encodeLine(xs: Float64Array, ys: Float64Array): Buffer {
  const pairs = new Float64Array(2 * xs.length);
  for (let i = 0; i < xs.length; i += 1) {
    pairs[2 * i] = xs[i] ?? 0;
    pairs[2 * i + 1] = ys[i] ?? 0;
  }
  const wkb = Buffer.alloc(headerBytes + pairs.byteLength);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(lineString, 1);
  wkb.writeUInt32LE(xs.length, 5);
  wkb.set(new Uint8Array(pairs.buffer), headerBytes);
  return wkb;
}

function decodeLine(wkb: Buffer, xs: Float64Array, ys: Float64Array): void {
  const from = wkb.byteOffset + headerBytes;
  // Doubles must be aligned to eight bytes.
  const pairs = new Float64Array(wkb.buffer.slice(from, from + 16 * xs.length));
  for (let i = 0; i < xs.length; i += 1) {
    xs[i] = pairs[2 * i] ?? Number.NaN;
    ys[i] = pairs[2 * i + 1] ?? Number.NaN;
  }
}

/** Transforms one point; NaN, NaN if it has no image, such as beyond the horizon of a projection. */
export function transformPoint(
  transformation: CoordinateTransformation,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  try {
    const point = transformation.transformPoint(x, y);
    return [point.x, point.y];
  } catch {
    return [Number.NaN, Number.NaN];
  }
}

export type Place = readonly [longitude: number, latitude: number];

/** Datums of most files, for which PROJ's operations need not be examined. */
const surelyKnown = /DATUM\["WGS_1984"|TOWGS84\[|EXTENSION\["PROJ4_GRIDS"/;
/** Semi-major axis and inverse flattening in WKT. */
export const spheroid = /SPHEROID\["(?:[^"]|"")*",([\d.]+),([\d.eE+-]+)/;
const datumName = /DATUM\["((?:[^"]|"")*)"/;

/**
 * Ellipsoids of satellite navigation (GRS 80, WGS 84, CGCS2000, GSK-2011, PZ-90), which agree with WGS 84 within a
 * metre or two: includes frames that are newer than this PROJ, and files that name the ellipsoid only.
 */
const satelliteAxisMetres = { from: 6_378_134.5, to: 6_378_139.5 };
const satelliteFlattening = { from: 298.252, to: 298.262 };
const satelliteName =
  /unknown|undefined|unnamed|not.?specified|based.?on|wgs|grs|trf|etrf|frame|terrestrial|geodetic|reference|cgcs|gsk|pz.?90|(?:19[89]|20\d)\d/i;

const stepDegrees = 5;
/** No datum shift changes a latitude by less: a tenth of a millimetre. */
const leastShiftDegrees = 1e-9;

/**
 * Returns whether PROJ can only treat the coordinates of a CRS as those of WGS 84. The binding does not expose PROJ's
 * flag for it ("ballpark"): exactly then, no latitude changes on the way to WGS 84 or to WGS 72, which is some metres
 * away. A sphere counts as WGS 84 latitudes by convention.
 * @param places of the file, on WGS 84.
 */
export function isDatumUnknown(wkt: string, places: readonly Place[]): boolean {
  if (surelyKnown.test(wkt)) return false;
  const [, axis = '', flattening = ''] = spheroid.exec(wkt) ?? [];
  if (!(Number(flattening) > 0)) return false;
  const isOfSatellites =
    isBetween(Number(axis), satelliteAxisMetres) && isBetween(Number(flattening), satelliteFlattening);
  if (isOfSatellites && satelliteName.test(datumName.exec(wkt)?.[1] ?? '')) return false;
  const datum = quietly(() => gdal.SpatialReference.fromWKT(wkt).cloneGeogCS());
  if (datum === undefined) return false;
  const moves = (of: readonly Place[]) => [4326, 4322].some((epsg) => movesLatitude(datum, epsg, of));
  return !moves(places) && !moves(everywhere());
}

function isBetween(value: number, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return value >= from && value <= to;
}

/** Returns whether any latitude changes from one geographic CRS to another. */
function movesLatitude(datum: gdal.SpatialReference, epsg: number, places: readonly Place[]): boolean {
  if (places.length < 2) return places.length === 1 && movesLatitude(datum, epsg, [...places, ...places]);
  const unit = datum.getAngularUnits().value * (180 / Math.PI);
  const transform = quietly(() =>
    createPointTransformation(createTransformation({ wkt: datum.toWKT() }, { epsg })),
  );
  if (transform === undefined) return false;
  const xs = Float64Array.from(places, ([longitude]) => longitude / unit);
  const ys = Float64Array.from(places, ([, latitude]) => latitude / unit);
  transform(xs, ys);
  // Outside the area of a transformation, there is no image.
  return places.some(([, latitude], index) => Math.abs((ys[index] ?? 0) - latitude) > leastShiftDegrees);
}

/** Returns places all over the world: at the file itself, a foreign datum may have no shift. */
function everywhere(): readonly Place[] {
  const count = (degrees: number) => degrees / stepDegrees;
  return Array.from({ length: count(360) * count(175) }, (_, index) => [
    (index % count(360)) * stepDegrees - 180,
    Math.floor(index / count(360)) * stepDegrees - 85,
  ]);
}

/** Returns `EPSG:n` for a CRS that states its code or equals one of the registry, otherwise its WKT. */
export function nameOfCrs(wkt: string): string {
  const srs = gdal.SpatialReference.fromWKT(wkt);
  // It throws if GDAL finds no code.
  quietly(() => srs.autoIdentifyEPSG());
  const root = srs.isProjected() ? 'PROJCS' : 'GEOGCS';
  // The binding returns null for absent text, although its types do not say so.
  const code: unknown = srs.getAuthorityCode(root);
  return srs.getAuthorityName(root) === 'EPSG' && typeof code === 'string' ? `EPSG:${code}` : wkt;
}

/** Returns the name that a CRS has in its WKT. */
export function titleOfCrs(wkt: string): string {
  return /"((?:[^"]|"")*)"/.exec(wkt)?.[1]?.replaceAll('""', '"') ?? '';
}

/** PROJ strings of EPSG:3857 and its equivalents: 900913, 3785, ESRI's 102100 and 102113. */
const webMercator = /^\+proj=(webmerc|merc \+a=6378137 \+b=6378137) .*\+units=m /;

/** Describes the coordinates of a CRS without the heights of a compound CRS: rasters are two-dimensional. */
export function describeCrs(wkt: string): RasterCrs {
  const whole = gdal.SpatialReference.fromWKT(wkt);
  const srs = whole.isCompound() ? gdal.SpatialReference.fromWKT(horizontalPart(wkt)) : whole;
  const plane = srs.toWKT();
  if (srs.isGeographic()) {
    const degrees = srs.getAngularUnits().value * (180 / Math.PI);
    // A degree that is defined in radians is only approximately one.
    return { wkt: plane, kind: 'geographic', unit: Math.abs(degrees - 1) < 1e-9 ? 1 : degrees };
  }
  const unit = srs.getLinearUnits().value;
  if (!srs.isProjected()) return { wkt: plane, kind: 'other', unit };
  // PROJ strings cannot express some systems.
  const words = quietly(() => srs.toProj4()) ?? '';
  return { wkt: plane, kind: webMercator.test(words) ? 'web-mercator' : 'projected', unit };
}

/** Returns `PROJCS[…]` of `COMPD_CS["name",PROJCS[…],VERT_CS[…]]`. */
function horizontalPart(wkt: string): string {
  const start = /^COMPD_CS\["(?:[^"]|"")*",/.exec(wkt)?.[0].length ?? 0;
  let depth = 0;
  for (const { 0: token, index } of wkt.matchAll(/"(?:[^"]|"")*"|[[\]]/g)) {
    if (index < start || token.startsWith('"')) continue;
    depth += token === '[' ? 1 : -1;
    if (depth === 0) return wkt.slice(start, index + 1);
  }
  return wkt;
}
