import type { Message } from '../../../lib/message.ts';
import { type CrsSource, notOnEarth, vectorProblems } from '../../../messages/vector/english.ts';
import { type Parts, type Positions, positionsOf, type Rings } from '../../formats/features/geometry.ts';
import {
  createPointTransformation,
  transformPoint,
  createTransformation,
  createTransformationToWgs84,
  type Crs,
  farthestCoordinate,
  unitOf,
} from '../../gdal/transformation.ts';
import {
  followOnEarth,
  type Projection,
  turnTowards,
  followRing,
  isWithin,
  type Pole,
} from './path-on-earth.ts';
import gdal from 'gdal-async';
import { encodeMultiPolygon, encodePolygon, decodeParts } from '../../formats/ogr/wkb.ts';

/**
 * Transforms the geometry of the feature `where` to longitude and latitude. Lines and rings have no jumps: beyond 180°
 * they continue, with a position at the crossing; a ring around a pole is closed along the pole.
 * @throws {Problem} if it has no place on the earth.
 */
export type ToWgs84 = (parts: Parts, where: string) => Parts;

/** Transforms positions to the earth, one for one. */
type ToEarth = (positions: Positions) => Positions;

/** In degrees, a step between this and a full turn crosses the antimeridian, as in GDAL. */
const jumpDegrees = 350;
/** Maximum longitude of a file in degrees: one full turn beyond 180°. */
export const farthestLongitude = 540;
/** Tolerance in degrees for coordinates at the edge of the world, because of rounding. */
export const edgeDegrees = 1e-6;

/** Follows geometry in longitude and latitude, which may exceed 180°. */
export function followDegrees(parts: Parts): Parts {
  return followParts(parts, (positions) => withoutJumps(positions, positions, 1));
}

/**
 * Creates a transformation from a CRS to WGS 84.
 * @param source the part of the file that names the CRS.
 * @throws {Error} if PROJ does not know the CRS or has no transformation to WGS 84.
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

/** @throws {Problem} with the given `reason` if a coordinate is not a longitude, up to `farthest` degrees, or a latitude. */
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
    /** Returns the pole inside a ring of the plane; undefined for none, or both. */
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
 * Shifts the longitudes of a file in degrees to the turn around the earth that the file uses.
 * @param degrees per unit of the file.
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

/** Converts a polygon to valid polygons, as WKB. */
type Repair = (rings: Rings) => readonly Buffer[];

/**
 * Cuts a polygon that exceeds 180° at the antimeridian, and shifts each part to -180 to 180.
 * @param rings outer ring first; each closed and without jumps, on any turn around the earth.
 * @returns valid polygons as WKB.
 */
export function polygonsWithinWorld(rings: Rings, repair: Repair): readonly Buffer[] {
  if (rings.every(isWithinWorld)) return repair(rings);
  const [outer = [], ...holes] = rings.map((ring) => repair([ring]).flatMap(cutIntoTurns));
  const gaps = holes.flat();
  if (gaps.length === 0 || outer.length === 0) return outer;
  const rest = asMultiPolygon(outer).difference(asMultiPolygon(gaps));
  return decodeParts(rest.toWKB('LSB')).polygons.map(encodePolygon);
}

/** Cuts a line that has a position at every crossing of 180°. */
export function linesWithinWorld(line: Positions): readonly Positions[] {
  if (isWithinWorld(line)) return [line];
  const lines: number[][] = [];
  let turn = Number.NaN;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [from = 0, fromLat = 0, to = 0, toLat = 0] = line.slice(i, i + 4);
    const here = Math.round((from + to) / 720);
    // Along 180° itself, it stays on its side.
    const stays = from === to && Math.abs(from - 360 * turn) === 180;
    if (here !== turn && !stays) {
      turn = here;
      lines.push([from - 360 * turn, fromLat]);
    }
    lines.at(-1)?.push(to - 360 * turn, toLat);
  }
  return lines;
}

/** Shifts points to -180 to 180. */
export function pointsWithinWorld(points: Positions): Positions {
  if (isWithinWorld(points)) return points;
  return points.map((value, i) =>
    i % 2 === 1 || Math.abs(value) <= 180 ? value : value - 360 * Math.round(value / 360),
  );
}

/** Returns whether all longitudes are between -180 and 180. */
export function isWithinWorld(positions: Positions): boolean {
  return positions.every((value, i) => i % 2 === 1 || Math.abs(value) <= 180);
}

/** Cuts a valid polygon into its parts on each turn around the earth, all shifted to the first. */
function cutIntoTurns(wkb: Buffer): readonly Buffer[] {
  const polygon = gdal.Geometry.fromWKB(wkb);
  const { minX, maxX } = polygon.getEnvelope();
  const turns: Buffer[] = [];
  for (let turn = Math.floor((minX + 180) / 360); 360 * turn - 180 < maxX; turn += 1) {
    const [west, east] = [360 * turn - 180, 360 * turn + 180];
    const isWhole = minX >= west && maxX <= east;
    const box = [west, -90, east, -90, east, 90, west, 90, west, -90];
    const part = isWhole ? polygon : polygon.intersection(gdal.Geometry.fromWKB(encodePolygon([box])));
    for (const rings of decodeParts(part.toWKB('LSB')).polygons)
      turns.push(
        encodePolygon(
          rings.map((ring) => ring.map((value, i) => (i % 2 === 0 ? value - 360 * turn : value))),
        ),
      );
  }
  return turns;
}

function asMultiPolygon(polygons: readonly Buffer[]): gdal.Geometry {
  const geometry = gdal.Geometry.fromWKB(encodeMultiPolygon(polygons));
  return geometry.isValid() ? geometry : geometry.makeValid();
}
