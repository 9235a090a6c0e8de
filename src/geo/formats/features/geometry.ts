import { getHeapStatistics } from 'node:v8';
import { MiB } from '../../../common/units.ts';
import { membersOf } from '../../../json/members-of.ts';
import { geometryProblems } from '../../../messages/geojson.ts';

/** Longitude, latitude (or x, y) of one position after the other, without heights. */
export type Positions = readonly number[];

/** Outer ring first, then holes; every ring ends where it begins. */
export type Rings = readonly Positions[];

/** A geometry taken apart by dimension. */
export interface Parts {
  readonly points: Positions;
  readonly lines: readonly Positions[];
  readonly polygons: readonly Rings[];
}

interface MutableParts {
  readonly points: number[];
  readonly lines: number[][];
  readonly polygons: number[][][];
}

/** The most bytes in memory for one byte of coordinates as text. */
const growthInMemory = 24;
const maxGeometryBytes = getHeapStatistics().heap_size_limit / growthInMemory;

/**
 * Takes the text of one GeoJSON geometry apart. Open rings are closed; lines and rings without extent, which bound
 * nothing, are left out.
 * @throws {Problem} when the text is no GeoJSON geometry; `where` names its feature.
 */
export function readGeometry(text: Buffer, where: string): { readonly type: string; readonly parts: Parts } {
  if (text.length > maxGeometryBytes)
    throw geometryProblems.tooLarge(where, Math.floor(maxGeometryBytes / MiB));
  const parts: MutableParts = { points: [], lines: [], polygons: [] };
  const type = collect(JSON.parse(text.toString()), parts, where);
  return { type, parts };
}

function collect(value: unknown, parts: MutableParts, where: string): string {
  const { type, coordinates, geometries } = membersOf(value);
  if (typeof type !== 'string') throw geometryProblems.noGeometry(where);
  const list = (of: unknown): readonly unknown[] => {
    if (!Array.isArray(of)) throw geometryProblems.wrongNesting(where, type);
    return of;
  };
  const line = (of: unknown) => withExtent(list(of).flatMap((position) => toPosition(position, where)));
  const polygon = (of: unknown) =>
    withCorners(list(of).map((ring) => list(ring).flatMap((position) => toPosition(position, where))));
  switch (type) {
    case 'Point':
      if (list(coordinates).length > 0) append(parts.points, toPosition(coordinates, where));
      return type;
    case 'MultiPoint':
      for (const position of list(coordinates)) append(parts.points, toPosition(position, where));
      return type;
    case 'LineString':
      append(parts.lines, line(coordinates));
      return type;
    case 'MultiLineString':
      for (const of of list(coordinates)) append(parts.lines, line(of));
      return type;
    case 'Polygon':
      append(parts.polygons, polygon(coordinates));
      return type;
    case 'MultiPolygon':
      for (const of of list(coordinates)) append(parts.polygons, polygon(of));
      return type;
    case 'GeometryCollection':
      for (const of of list(geometries)) collect(of, parts, where);
      return type;
    default:
      throw geometryProblems.unknownType(where, type);
  }
}

function toPosition(value: unknown, where: string): readonly [number, number] {
  if (!Array.isArray(value) || value.length < 2) throw geometryProblems.shortPosition(where);
  const [x, y]: unknown[] = value;
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
    throw geometryProblems.noNumber(where);
  return [x, y];
}

/** Drops the line when it is a point or nothing. */
export function withExtent(line: number[]): number[][] {
  return line.length >= 4 ? [line] : [];
}

/** The polygon with its rings closed and without those that bound nothing; nothing when its outer ring does not. */
export function withCorners(rings: readonly number[][]): number[][][] {
  const closedRings = rings.map(closed);
  const [outer] = closedRings;
  // Three different corners and the first again.
  return outer === undefined || outer.length < 8 ? [] : [closedRings.filter((ring) => ring.length >= 8)];
}

function closed(ring: number[]): number[] {
  const [x, y] = ring;
  if (x === undefined || y === undefined) return ring;
  if (ring.at(-2) !== x || ring.at(-1) !== y) ring.push(x, y);
  return ring;
}

/** Not `push(...)`: that has a limit that a long line reaches. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}
