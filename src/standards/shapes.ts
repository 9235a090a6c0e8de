import { type Box, boxesOf, isBbox } from './boxes.ts';

export type Position = readonly [x: number, y: number];
/** The first ring is the outer one. */
type Rings = readonly (readonly Position[])[];

/** A geometry split into points, lines and polygons. */
export interface Shape {
  readonly points: readonly Position[];
  readonly lines: Rings;
  readonly polygons: readonly Rings[];
}

/** Maximum number of positions in a geometry of a request. */
export const maxPositions = 1000;
const maxNesting = 4;
/** Maps that repeat the earth ask beyond 360°. No map asks for more than this, and products of larger numbers overflow. */
const maxDegrees = 3600;
/** A tenth of a millimetre. Products of smaller distances are too small for a number of the database. */
const perDegree = 1e9;

/** Returns the shape of a box in degrees; two polygons if it crosses 180°. */
export function shapeOfBbox(numbers: readonly number[]): Shape | undefined {
  return isBbox(numbers) ? { ...empty, polygons: boxesOf(numbers).map((box) => [ringOf(box)]) } : undefined;
}

/** Limits latitudes to the range of positions. */
function ringOf([west, south, east, north]: Box): readonly Position[] {
  const corner = (x: number, y: number): Position => [within(x), within(y)];
  return [
    corner(west, south),
    corner(east, south),
    corner(east, north),
    corner(west, north),
    corner(west, south),
  ];
}

function within(degrees: number): number {
  return rounded(Math.min(Math.max(degrees, -maxDegrees), maxDegrees));
}

const empty: Shape = { points: [], lines: [], polygons: [] };

/** Parses a GeoJSON geometry of any type; undefined for anything else, and above `most` positions. */
export function readShape(geometry: unknown, most = maxPositions): Shape | undefined {
  const shape = shapeOf(geometry, maxNesting);
  const count = shape === undefined ? 0 : positionsOf(shape).length;
  return count > 0 && count <= most ? shape : undefined;
}

export function positionsOf({ points, lines, polygons }: Shape): readonly Position[] {
  return [...points, ...lines.flat(), ...polygons.flat(2)];
}

function shapeOf(geometry: unknown, levels: number): Shape | undefined {
  if (typeof geometry !== 'object' || geometry === null || !('type' in geometry)) return undefined;
  if (geometry.type === 'GeometryCollection') {
    const parts = 'geometries' in geometry && levels > 0 ? listOf(geometry.geometries) : undefined;
    return merged(every(parts, (part) => shapeOf(part, levels - 1)));
  }
  return 'coordinates' in geometry ? simpleShape(geometry.type, geometry.coordinates) : undefined;
}

function merged(shapes: readonly Shape[] | undefined): Shape | undefined {
  if (shapes === undefined) return undefined;
  return {
    points: shapes.flatMap(({ points }) => points),
    lines: shapes.flatMap(({ lines }) => lines),
    polygons: shapes.flatMap(({ polygons }) => polygons),
  };
}

function simpleShape(type: unknown, coordinates: unknown): Shape | undefined {
  switch (type) {
    case 'Point':
      return shapeWith('points', one(readPosition(coordinates)));
    case 'MultiPoint':
      return shapeWith('points', every(listOf(coordinates), readPosition));
    case 'LineString':
      return shapeWith('lines', one(readLine(coordinates)));
    case 'MultiLineString':
      return shapeWith('lines', every(listOf(coordinates), readLine));
    case 'Polygon':
      return shapeWith('polygons', one(readRings(coordinates)));
    case 'MultiPolygon':
      return shapeWith('polygons', every(listOf(coordinates), readRings));
    default:
      return undefined;
  }
}

function shapeWith<Kind extends keyof Shape>(kind: Kind, parts: Shape[Kind] | undefined): Shape | undefined {
  return parts === undefined ? undefined : { ...empty, [kind]: parts };
}

function readPosition(value: unknown): Position | undefined {
  const [x, y, ...rest] = listOf(value) ?? [];
  if (typeof x !== 'number' || typeof y !== 'number' || rest.length > 2) return undefined;
  const isNear = Math.abs(x) <= maxDegrees && Math.abs(y) <= maxDegrees;
  return isNear ? [rounded(x), rounded(y)] : undefined;
}

function rounded(degrees: number): number {
  return Math.round(degrees * perDegree) / perDegree;
}

function readLine(value: unknown): readonly Position[] | undefined {
  const line = every(listOf(value), readPosition);
  return line !== undefined && line.length >= 2 ? line : undefined;
}

function readRings(value: unknown): Rings | undefined {
  const rings = every(listOf(value), readRing);
  return rings !== undefined && rings.length > 0 ? rings : undefined;
}

function readRing(value: unknown): readonly Position[] | undefined {
  const ring = every(listOf(value), readPosition);
  const [first, last] = [ring?.[0], ring?.at(-1)];
  if (ring === undefined || ring.length < 4 || first === undefined || last === undefined) return undefined;
  return first[0] === last[0] && first[1] === last[1] ? ring : undefined;
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function one<T>(part: T | undefined): readonly T[] | undefined {
  return part === undefined ? undefined : [part];
}

/** Applies `read` to each part; undefined if one of them fails. */
function every<T>(
  parts: readonly unknown[] | undefined,
  read: (part: unknown) => T | undefined,
): readonly T[] | undefined {
  const made: T[] = [];
  for (const part of parts ?? []) {
    const readPart = read(part);
    if (readPart === undefined) return undefined;
    made.push(readPart);
  }
  return parts === undefined ? undefined : made;
}
