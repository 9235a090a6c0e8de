import type { Message } from '../../../lib/message.ts';
import { type CrsSource, notOnEarth, vectorProblems } from '../../../messages/vector.ts';
import { type Parts, type Positions, positionsOf } from '../../formats/features/geometry.ts';
import { createPointTransformation, transformPoint } from '../../gdal/transform-points.ts';
import {
  createTransformation,
  createTransformationToWgs84,
  type Crs,
  farthestCoordinate,
  unitOf,
} from '../../gdal/transformation.ts';
import { followOnEarth, type Projection, turnTowards } from './path-on-earth.ts';
import { followRing, isWithin, type Pole } from './ring-on-earth.ts';

/**
 * Takes the geometry of the feature `where` to longitude and latitude. Its lines and rings have no jumps: beyond 180° they
 * go on, with a position where they cross it; a ring around a pole is closed along the pole.
 * @throws {Problem} when it has no place on the earth.
 */
export type ToWgs84 = (parts: Parts, where: string) => Parts;

/** Takes positions to the earth, one for one. */
type ToEarth = (positions: Positions) => Positions;

/** In degrees, a step of more than this, and less than a turn, is one across the antimeridian; so GDAL has it. */
const jumpDegrees = 350;
/** Degrees of longitude that a file may have: those of one turn around the earth more than there is. */
export const farthestLongitude = 540;
/** Degrees by which rounding may put a coordinate beyond the edge of the world. */
export const edgeDegrees = 1e-6;

/** Follows geometry in longitude and latitude, which may lie beyond 180°. */
export function followDegrees(parts: Parts): Parts {
  return followParts(parts, (positions) => withoutJumps(positions, positions, 1));
}

/**
 * Creates a transformation from a CRS to WGS 84.
 * @param source the part of the file that names the CRS.
 * @throws {Error} when PROJ does not know the CRS or no way to WGS 84.
 */
export function createReprojection(crs: Crs, source: CrsSource): ToWgs84 {
  const transformation = createTransformationToWgs84(crs);
  const transform = createPointTransformation(transformation);
  const farthest = farthestCoordinate(crs);
  const { degrees, metres } = unitOf(crs);
  const plane = degrees === undefined ? createPlane(crs) : undefined;
  const projection: Projection | undefined = plane && {
    unitMetres: metres,
    toEarth: ([x, y]) => transformPoint(transformation, x, y),
  };
  return (parts, where) => {
    const toEarth = (positions: Positions): Positions => {
      if (positions.some(Number.isNaN)) throw vectorProblems.notANumber(where);
      const at = positions.findIndex((value) => Math.abs(value) > farthest);
      if (at !== -1)
        throw vectorProblems.notInCrs(
          where,
          source,
          positions.slice(at - (at % 2), at - (at % 2) + 2).join(', '),
        );
      const onEarth = transformed(positions, transform);
      if (onEarth.some(Number.isNaN)) throw vectorProblems.notInCrs(where, source);
      return degrees === undefined ? onEarth : withoutJumps(positions, onEarth, degrees);
    };
    const followed = followParts(parts, toEarth, projection, plane?.poleWithin);
    refuseOffEarth(followed, farthestLongitude, where, notOnEarth.wrongCrs(source));
    return followed;
  };
}

/** @throws {Problem} when a coordinate is no longitude, up to `farthest` degrees, and latitude, for the `reason` given. */
export function refuseOffEarth(parts: Parts, farthest: number, where: string, reason: Message): void {
  for (const positions of positionsOf(parts)) {
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [lon, lat] = [positions[i] ?? 0, positions[i + 1] ?? 0];
      if (Math.abs(lon) <= farthest + edgeDegrees && Math.abs(lat) <= 90 + edgeDegrees) continue;
      if (Number.isNaN(lon) || Number.isNaN(lat)) throw vectorProblems.notANumber(where);
      throw vectorProblems.notOnEarth(`${lon}, ${lat}`, where, reason);
    }
  }
}

function followParts(
  { points, lines, polygons }: Parts,
  toEarth: ToEarth,
  projection?: Projection,
  poleWithin: (ring: Positions) => Pole | undefined = () => undefined,
): Parts {
  const followEach = (ring: Positions): Positions => {
    const onEarth = toEarth(ring);
    return followRing(ring, onEarth, () => poleWithin(ring) ?? nearestPole(onEarth), projection);
  };
  return {
    points: toEarth(points),
    lines: lines.map((line) => followOnEarth(line, toEarth(line), projection)),
    polygons: polygons.map((rings) => rings.map(followEach)),
  };
}

function nearestPole(onEarth: Positions): Pole {
  return onEarth.reduce((sum, value, i) => (i % 2 === 1 ? sum + value : sum), 0) < 0 ? -90 : 90;
}

/** Finds the poles in the plane of a projection. */
function createPlane(crs: Crs) {
  const fromWgs84 = createTransformation({ epsg: 4326 }, crs);
  const poles = ([90, -90] as const).map((pole) => ({ pole, at: transformPoint(fromWgs84, 0, pole) }));
  return {
    /** Returns the pole in a ring of the plane; undefined when there is none, or both. */
    poleWithin(ring: Positions): Pole | undefined {
      const [within, other] = poles.filter(({ at }) => at.every(Number.isFinite) && isWithin(ring, at));
      return other === undefined ? within?.pole : undefined;
    },
  };
}

function transformed(
  positions: Positions,
  transform: ReturnType<typeof createPointTransformation>,
): number[] {
  const xs = Float64Array.from({ length: positions.length / 2 }, (_, i) => positions[2 * i] ?? 0);
  const ys = Float64Array.from(xs, (_, i) => positions[2 * i + 1] ?? 0);
  transform(xs, ys);
  return positions.map((_, i) => (i % 2 === 0 ? xs : ys)[Math.floor(i / 2)] ?? 0);
}

/**
 * Takes the longitudes of a file in degrees to the turn around the earth that the file has them on.
 * @param degrees those of one unit of the file.
 */
function withoutJumps(source: Positions, onEarth: Positions, degrees: number): Positions {
  let turns = 0;
  let before = (source[0] ?? 0) * degrees;
  return onEarth.map((value, i) => {
    if (i % 2 === 1) return value;
    const here = (source[i] ?? 0) * degrees;
    const step = here - before;
    if (Math.abs(step) > jumpDegrees && Math.abs(step) < 360) turns -= Math.sign(step);
    before = here;
    return value + turnTowards(value, here) + 360 * turns;
  });
}
