import { z } from 'zod';
import { Problem } from '../../errors.ts';

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

const Geometry = z.object({
  type: z.string(),
  coordinates: z.unknown().optional(),
  geometries: z.unknown().optional(),
});

/**
 * Takes the text of one GeoJSON geometry apart. Open rings are closed; lines and rings without extent, which bound
 * nothing, are left out.
 * @throws {Problem} when the text is no GeoJSON geometry; `where` names its feature.
 */
export function readParts(text: Buffer, where: string): Parts {
  const parts: MutableParts = { points: [], lines: [], polygons: [] };
  collect(JSON.parse(text.toString()), parts, where);
  return parts;
}

function collect(value: unknown, parts: MutableParts, where: string): void {
  const geometry = Geometry.safeParse(value);
  if (!geometry.success) throw badGeometry(where, 'is no geometry with a "type"');
  const { type, coordinates, geometries } = geometry.data;
  const list = (of: unknown): readonly unknown[] => {
    if (!Array.isArray(of))
      throw badGeometry(where, `is a ${type} whose coordinates are not nested as they must be`);
    return of;
  };
  const line = (of: unknown) => {
    const positions = list(of).flatMap((position) => toPosition(position, where));
    return positions.length >= 4 ? [positions] : [];
  };
  const polygon = (of: unknown) => {
    const rings = list(of).map((ring) =>
      closed(list(ring).flatMap((position) => toPosition(position, where))),
    );
    const [outer] = rings;
    // Three different corners and the first again.
    return outer === undefined || outer.length < 8 ? [] : [rings.filter((ring) => ring.length >= 8)];
  };
  switch (type) {
    case 'Point':
      if (list(coordinates).length > 0) append(parts.points, toPosition(coordinates, where));
      return;
    case 'MultiPoint':
      for (const position of list(coordinates)) append(parts.points, toPosition(position, where));
      return;
    case 'LineString':
      append(parts.lines, line(coordinates));
      return;
    case 'MultiLineString':
      for (const of of list(coordinates)) append(parts.lines, line(of));
      return;
    case 'Polygon':
      append(parts.polygons, polygon(coordinates));
      return;
    case 'MultiPolygon':
      for (const of of list(coordinates)) append(parts.polygons, polygon(of));
      return;
    case 'GeometryCollection':
      for (const of of list(geometries)) collect(of, parts, where);
      return;
    default:
      throw badGeometry(where, `has the type "${type.slice(0, 60)}", which GeoJSON does not know`);
  }
}

function toPosition(value: unknown, where: string): readonly [number, number] {
  if (!Array.isArray(value) || value.length < 2)
    throw badGeometry(where, 'has a position that is not at least two numbers');
  const [x, y]: unknown[] = value;
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y)) {
    throw badGeometry(where, 'has a coordinate that is no number');
  }
  return [x, y];
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

function badGeometry(where: string, what: string): Problem {
  return new Problem('invalid', `The geometry of ${where} ${what}. Correct it and upload the file again.`);
}
