import { geometryTypes } from './layout.ts';
import type { Geometry } from './geometry.ts';

const { Point, LineString, MultiPoint, MultiLineString } = geometryTypes;
const typeNames = new Map<number, string>(
  Object.entries(geometryTypes).map(([name, number]) => [number, name]),
);
const headBytes = 5;
/** Offset of geometry types with heights in ISO WKB. */
const highKinds = 1000;

/** Returns the OGC name of a geometry's type, such as `MultiPolygon`. */
export function geometryName({ type }: Geometry): string {
  return typeNames.get(type) ?? 'Unknown';
}

/** Returns the lowest and the highest height of a geometry; undefined without heights. */
export function heightRange(geometry: Geometry): readonly [lowest: number, highest: number] | undefined {
  let [lowest, highest] = [Infinity, -Infinity];
  const visit = (each: Geometry): void => {
    if ('parts' in each) return each.parts.forEach(visit);
    for (const heights of each.heights ?? []) {
      for (const height of heights) [lowest, highest] = [Math.min(lowest, height), Math.max(highest, height)];
    }
  };
  visit(geometry);
  return lowest <= highest ? [lowest, highest] : undefined;
}

/**
 * Encodes a geometry as little-endian ISO WKB; types have the numbers of FlatGeobuf, plus 1000 with heights. Takes as
 * much memory as the geometry.
 */
export function geometryWkb(geometry: Geometry): Uint8Array {
  const bytes = Buffer.allocUnsafe(sizeOf(geometry));
  write(geometry, bytes, 0);
  return bytes;
}

function isHigh(geometry: Geometry): boolean {
  return 'parts' in geometry ? geometry.parts.some(isHigh) : geometry.heights !== undefined;
}

function sizeOf(geometry: Geometry): number {
  if ('parts' in geometry) return geometry.parts.reduce((sum, part) => sum + sizeOf(part), headBytes + 4);
  const { type, lists, heights } = geometry;
  const positionBytes = heights === undefined ? 16 : 24;
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

/** Writes a geometry from `at` on, and returns its end. */
function write(geometry: Geometry, bytes: Buffer, at: number): number {
  const { type } = geometry;
  const above = isHigh(geometry) ? highKinds : 0;
  let end = writeHead(bytes, at, type + above);
  if ('parts' in geometry) {
    end = bytes.writeUInt32LE(geometry.parts.length, end);
    for (const part of geometry.parts) end = write(part, bytes, end);
    return end;
  }
  const { lists, heights } = geometry;
  const [first = new Float64Array()] = lists;
  switch (type) {
    case Point:
      return writePositions(bytes, end, first.length > 0 ? first : [Number.NaN, Number.NaN], heights?.[0]);
    case LineString:
      return writeList(bytes, end, first, heights?.[0]);
    case MultiPoint:
      end = bytes.writeUInt32LE(first.length >> 1, end);
      for (let i = 0; i + 1 < first.length; i += 2) {
        end = writeHead(bytes, end, Point + above);
        end = writePositions(bytes, end, first.subarray(i, i + 2), heights?.[0]?.subarray(i >> 1));
      }
      return end;
    default:
      end = bytes.writeUInt32LE(lists.length, end);
      for (const [index, list] of lists.entries()) {
        if (type === MultiLineString) end = writeHead(bytes, end, LineString + above);
        end = writeList(bytes, end, list, heights?.[index]);
      }
      return end;
  }
}

function writeHead(bytes: Buffer, at: number, type: number): number {
  return bytes.writeUInt32LE(type, bytes.writeUInt8(1, at));
}

function writeList(bytes: Buffer, at: number, list: Float64Array, heights?: Float64Array): number {
  return writePositions(bytes, bytes.writeUInt32LE(list.length >> 1, at), list, heights);
}

function writePositions(bytes: Buffer, at: number, list: ArrayLike<number>, heights?: Float64Array): number {
  let end = at;
  for (let i = 0; i + 1 < list.length; i += 2) {
    end = bytes.writeDoubleLE(list[i] ?? 0, end);
    end = bytes.writeDoubleLE(list[i + 1] ?? 0, end);
    if (heights !== undefined) end = bytes.writeDoubleLE(heights[i >> 1] ?? Number.NaN, end);
  }
  return end;
}

/** Returns the bounds of a geometry; undefined for one without positions. */
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
