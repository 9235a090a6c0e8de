import gdal from 'gdal-async';
import { vectorProblems, type CrsSource } from '../../../messages/vector.ts';
import type { Parts, Positions } from '../../formats/features/geometry.ts';
import { decodeParts, encodeParts } from '../../formats/ogr/wkb.ts';
import { createTransformationToWgs84, type Crs, farthestCoordinate } from '../../gdal/transformation.ts';

/** Takes the geometry of the feature `where` to longitude and latitude. @throws {Problem} when it has no place there. */
export type ToWgs84 = (parts: Parts, where: string) => Parts;

/**
 * Creates a transformation from a CRS to WGS 84.
 * @param source what of the file names the CRS.
 * @throws {Error} when PROJ does not know the CRS or no way to WGS 84.
 */
export function createReprojection(crs: Crs, source: CrsSource): ToWgs84 {
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
    return withinOneTurn(decodeParts(geometry.toWKB('LSB')));
  };
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
export const edgeDegrees = 1e-6;

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
