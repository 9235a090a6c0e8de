import gdal from 'gdal-async';
import { Problem } from '../../../common/errors.ts';
import type { Parts, Positions } from '../../formats/features/geometry.ts';
import { createTransformationToWgs84, type Crs, farthestCoordinate } from '../../gdal/transformation.ts';
import { decodeParts, encodeParts } from '../../formats/ogr/wkb.ts';

/** Takes a geometry to WGS 84. @throws {Error} when it has no place there. */
export type Move = (parts: Parts) => Parts;

class TooFar extends Error {
  override readonly name = 'TooFar';
}

function createMove(crs: Crs): Move {
  const transformation = createTransformationToWgs84(crs);
  const farthest = farthestCoordinate(crs);
  const check = (positions: Positions): void => {
    const at = positions.findIndex((value) => Math.abs(value) > farthest);
    if (at === -1) return;
    const [x, y] = positions.slice(at - (at % 2));
    throw new TooFar(`${x}, ${y}`);
  };
  return (parts) => {
    check(parts.points);
    parts.lines.forEach(check);
    parts.polygons.flat().forEach(check);
    const geometry = gdal.Geometry.fromWKB(encodeParts(parts));
    geometry.transform(transformation);
    return decodeParts(geometry.toWKB('LSB'));
  };
}

/** @throws {Problem} when PROJ knows no way to WGS 84. */
export function moveFromWkt(wkt: string): Move {
  try {
    return createMove({ wkt });
  } catch (cause) {
    throw new Problem(
      'invalid',
      'There is no known way from the coordinate reference system of the file to WGS 84; reproject it to EPSG:4326 and upload it again.',
      { cause },
    );
  }
}

/** Absent for a number that PROJ does not know, or that is no system of places on the earth. */
export function moveFromEpsg(code: number): Move | undefined {
  try {
    const srs = gdal.SpatialReference.fromEPSG(code);
    return srs.isGeographic() || srs.isProjected() ? createMove({ epsg: code }) : undefined;
  } catch {
    return undefined;
  }
}

export function moved(
  parts: Parts,
  move: Move,
  { where, what }: { readonly where: string; readonly what: string },
): Parts {
  try {
    return move(parts);
  } catch (cause) {
    const whose =
      cause instanceof TooFar
        ? `The coordinate ${cause.message} of ${where} does not fit`
        : `The coordinates of ${where} do not fit`;
    throw new Problem(
      'invalid',
      `${whose} the coordinate reference system that the file names; correct ${what} and upload it again.`,
      { cause },
    );
  }
}

/** Longitudes may be counted from 0 to 360: what lies beyond the antimeridian as a whole comes to this side. */
export function withinOneTurn({ points, lines, polygons }: Parts): Parts {
  return {
    points: points.map((value, index) => (index % 2 === 0 ? value + turnOf([value, 0]) : value)),
    lines: lines.map((line) => turned(line, turnOf(line))),
    polygons: polygons.map((rings) => {
      const turn = turnOf(rings.flat());
      return rings.map((ring) => turned(ring, turn));
    }),
  };
}

/** Rounding of whoever wrote the file may put a coordinate this far beyond the edge of the world. */
export const edgeDegrees = 1e-6;

/** The degrees that bring all these positions between -180 and 180; 0 when one turn does not. */
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
