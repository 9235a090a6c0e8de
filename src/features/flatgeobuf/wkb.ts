import { geometryTypes } from '../../geo/flatgeobuf/layout.ts';
import type { Geometry } from './geometry.ts';

const { Point, LineString, MultiPoint, MultiLineString } = geometryTypes;
const typeNames = new Map<number, string>(
  Object.entries(geometryTypes).map(([name, number]) => [number, name]),
);
const headBytes = 5;
const positionBytes = 16;

/** Returns what OGC calls a geometry, such as `MultiPolygon`. */
export function geometryName({ type }: Geometry): string {
  return typeNames.get(type) ?? 'Unknown';
}

/** Returns a geometry as WKB, little-endian; its types have the numbers of FlatGeobuf. It takes as much memory as the geometry does. */
export function geometryWkb(geometry: Geometry): Uint8Array {
  const bytes = Buffer.allocUnsafe(sizeOf(geometry));
  write(geometry, bytes, 0);
  return bytes;
}

function sizeOf(geometry: Geometry): number {
  if ('parts' in geometry) return geometry.parts.reduce((sum, part) => sum + sizeOf(part), headBytes + 4);
  const { type, lists } = geometry;
  const positions = lists.reduce((sum, list) => sum + (list.length >> 1), 0);
  switch (type) {
    case Point:
      return headBytes + positionBytes;
    case LineString:
      return headBytes + 4 + positions * positionBytes;
    case MultiPoint:
      return headBytes + 4 + positions * (headBytes + positionBytes);
    case MultiLineString:
      return headBytes + 4 + lists.length * (headBytes + 4) + positions * positionBytes;
    default:
      return headBytes + 4 + lists.length * 4 + positions * positionBytes;
  }
}

/** Writes a geometry from `at` on, and returns where it ends. */
function write(geometry: Geometry, bytes: Buffer, at: number): number {
  const { type } = geometry;
  let end = writeHead(bytes, at, type);
  if ('parts' in geometry) {
    end = bytes.writeUInt32LE(geometry.parts.length, end);
    for (const part of geometry.parts) end = write(part, bytes, end);
    return end;
  }
  const { lists } = geometry;
  const [first = new Float64Array()] = lists;
  switch (type) {
    case Point:
      return writePositions(bytes, end, [first[0] ?? Number.NaN, first[1] ?? Number.NaN]);
    case LineString:
      return writeList(bytes, end, first);
    case MultiPoint:
      end = bytes.writeUInt32LE(first.length >> 1, end);
      for (let i = 0; i + 1 < first.length; i += 2) {
        end = writeHead(bytes, end, Point);
        end = writePositions(bytes, end, first.subarray(i, i + 2));
      }
      return end;
    default:
      end = bytes.writeUInt32LE(lists.length, end);
      for (const list of lists) {
        if (type === MultiLineString) end = writeHead(bytes, end, LineString);
        end = writeList(bytes, end, list);
      }
      return end;
  }
}

function writeHead(bytes: Buffer, at: number, type: number): number {
  return bytes.writeUInt32LE(type, bytes.writeUInt8(1, at));
}

function writeList(bytes: Buffer, at: number, list: Float64Array): number {
  return writePositions(bytes, bytes.writeUInt32LE(list.length >> 1, at), list);
}

function writePositions(bytes: Buffer, at: number, list: ArrayLike<number>): number {
  let end = at;
  for (let i = 0; i < list.length; i += 1) end = bytes.writeDoubleLE(list[i] ?? 0, end);
  return end;
}

/** Returns the sides of the box around a geometry; undefined for one without positions. */
export function boxAround(
  geometry: Geometry,
): readonly [west: number, south: number, east: number, north: number] | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (each: Geometry): void => {
    if ('parts' in each) return each.parts.forEach(visit);
    for (const list of each.lists) {
      for (let i = 0; i + 1 < list.length; i += 2) {
        const [x, y] = [list[i] ?? 0, list[i + 1] ?? 0];
        west = Math.min(west, x);
        east = Math.max(east, x);
        south = Math.min(south, y);
        north = Math.max(north, y);
      }
    }
  };
  visit(geometry);
  return west <= east && south <= north ? [west, south, east, north] : undefined;
}
