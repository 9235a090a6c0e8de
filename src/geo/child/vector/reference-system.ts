import gdal from 'gdal-async';
import { type CrsSource, notOnEarth, vectorProblems, vectorWarnings } from '../../../messages/vector.ts';
import type { Warning } from '../../findings.ts';
import type { Parts, Positions } from '../../formats/features/geometry.ts';
import type { SourceCrs } from '../../formats/features/vector-file.ts';
import { createAxisOrder, swappedAxes } from '../../formats/geojson/axis-order.ts';
import { decodeParts, encodeParts } from '../../formats/ogr/wkb.ts';
import { nameOfCrs } from '../../gdal/crs.ts';
import { quietly } from '../../gdal/last-error.ts';
import { createTransformationToWgs84, type Crs, farthestCoordinate } from '../../gdal/transformation.ts';

/** Takes the geometry of the feature `where` to longitude and latitude. @throws {Problem} when it has no place there. */
type ToWgs84 = (parts: Parts, where: string) => Parts;

export interface ReferenceSystem {
  readonly toWgs84: ToWgs84;
  /** `EPSG:n`, else WKT; null when the file does not say. */
  readonly name: string | null;
  /** Tells what had to be assumed. */
  readonly warning?: Warning;
}

/**
 * Chooses how the coordinates of a file get to WGS 84: reprojected when it names a system, else taken as longitude and
 * latitude if they can be.
 * @throws {Problem} when its system cannot be transformed to WGS 84.
 */
export function chooseReferenceSystem(crs: SourceCrs): ReferenceSystem {
  switch (crs.kind) {
    case 'wgs84':
      return { name: 'EPSG:4326', toWgs84: asLongitudeLatitude(notOnEarth.geoJson()) };
    case 'epsg': {
      const toWgs84 = reprojectionFromEpsg(crs.code);
      return toWgs84 === undefined ? withoutCrsMember() : { name: `EPSG:${crs.code}`, toWgs84 };
    }
    case 'wkt':
      return { name: nameOfCrs(crs.wkt), toWgs84: reprojectionFromWkt(crs.wkt) };
    case 'none':
      return assumedWgs84(crs.remedy, { code: 'crs_assumed', message: vectorWarnings.crsAssumed() });
    default:
      return withoutCrsMember();
  }
}

function withoutCrsMember(): ReferenceSystem {
  const message = vectorWarnings.crsMemberIgnored();
  return assumedWgs84(notOnEarth.ignoredMember(), { code: 'crs_member_ignored', message });
}

function assumedWgs84(remedy: string, warning: Warning): ReferenceSystem {
  return { name: null, toWgs84: asLongitudeLatitude(remedy), warning };
}

/** Returns undefined for a number that PROJ does not know, or that is no system of places on the earth. */
function reprojectionFromEpsg(epsg: number): ToWgs84 | undefined {
  return quietly(() => {
    const srs = gdal.SpatialReference.fromEPSG(epsg);
    return srs.isGeographic() || srs.isProjected() ? createReprojection({ epsg }, 'member') : undefined;
  });
}

function reprojectionFromWkt(wkt: string): ToWgs84 {
  try {
    return createReprojection({ wkt }, 'file');
  } catch (cause) {
    throw vectorProblems.noTransformation().because(cause);
  }
}

/**
 * Creates a transformation from a CRS to WGS 84.
 * @param source the part of the file that names the CRS.
 * @throws {Error} when PROJ does not know the CRS or no way to WGS 84.
 */
function createReprojection(crs: Crs, source: CrsSource): ToWgs84 {
  const transformation = createTransformationToWgs84(crs);
  const farthest = farthestCoordinate(crs);
  return (parts, where) => {
    for (const positions of positionsOf(parts)) {
      const at = positions.findIndex((value) => Math.abs(value) > farthest);
      if (at === -1) continue;
      const [x, y] = positions.slice(at - (at % 2));
      throw vectorProblems.notInCrs(where, source, `${x}, ${y}`);
    }
    const geometry = gdal.Geometry.fromWKB(encodeParts(parts));
    try {
      geometry.transform(transformation);
    } catch (cause) {
      throw vectorProblems.notInCrs(where, source).because(cause);
    }
    const turned = withinOneTurn(decodeParts(geometry.toWKB('LSB')));
    return onEarth(turned, where, notOnEarth.wrongCrs(source));
  };
}

function asLongitudeLatitude(reason: string): ToWgs84 {
  const order = createAxisOrder();
  return (parts, where) => {
    order.look(parts);
    return onEarth(parts, where, order.mayBeLatitudeFirst() ? swappedAxes : reason);
  };
}

/** @throws {Problem} when a coordinate is no longitude and latitude, for the `reason` given. */
function onEarth(parts: Parts, where: string, reason: string): Parts {
  for (const positions of positionsOf(parts)) {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [lon, lat] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (Math.abs(lon) <= 180 + edgeDegrees && Math.abs(lat) <= 90 + edgeDegrees) continue;
      if (Number.isNaN(lon) || Number.isNaN(lat)) throw vectorProblems.notANumber(where);
      throw vectorProblems.notOnEarth(`${lon}, ${lat}`, where, reason);
    }
  }
  return parts;
}

/** Returns the positions of every point, line and ring. */
export function positionsOf({ points, lines, polygons }: Parts): readonly Positions[] {
  return [points, ...lines, ...polygons.flat()];
}

/** Brings parts whose longitudes lie beyond the antimeridian as a whole (0 to 360) to this side of it. */
function withinOneTurn({ points, lines, polygons }: Parts): Parts {
  return {
    points: points.map((value, index) => (index % 2 === 0 ? value + turnOf([value, 0]) : value)),
    lines: lines.map((line) => turned(line, turnOf(line))),
    polygons: polygons.map((rings) => {
      const turn = turnOf(rings.flat());
      return rings.map((ring) => turned(ring, turn));
    }),
  };
}

/** Degrees by which rounding may put a coordinate beyond the edge of the world. */
const edgeDegrees = 1e-6;

/** Returns the degrees that bring all these positions between -180 and 180; 0 when one turn does not. */
function turnOf(positions: Positions): number {
  let [west, east] = [Infinity, -Infinity];
  for (let i = 0; i < positions.length; i += 2) {
    const lon = positions[i] ?? 0;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
  }
  if (east > 180 + edgeDegrees && west >= 180 - edgeDegrees) return east <= 540 + edgeDegrees ? -360 : 0;
  return west < -180 - edgeDegrees && east <= -180 + edgeDegrees && west >= -540 - edgeDegrees ? 360 : 0;
}

function turned(positions: Positions, degrees: number): Positions {
  return degrees === 0 ? positions : positions.map((value, i) => (i % 2 === 0 ? value + degrees : value));
}
