import { geometryTypes } from './layout.ts';
import type { Box } from '../../standards/boxes.ts';
import { type TableReader, WrongFlatGeobuf } from './table-reader.ts';

/** Converts a position in degrees to the requested coordinates, as text. */
export type PositionText = (longitude: number, latitude: number, height?: number) => string;

/** A geometry of one type without members. */
interface SimpleGeometry {
  readonly type: number;
  /** Positions of each line or ring; one list for points. */
  readonly lists: readonly Float64Array[];
  /** Heights of the positions of each list; absent without heights. */
  readonly heights?: readonly Float64Array[];
}
export type Geometry = SimpleGeometry | { readonly type: number; readonly parts: readonly Geometry[] };

const { Point, LineString, Polygon, MultiPoint, MultiPolygon, GeometryCollection } = geometryTypes;
/** The deepest geometry that is written: a collection of multipolygons. */
const maxDepth = 3;

/**
 * Reads the geometry of a feature. @param fileType type of all features; 0 if each has its own.
 * @throws {WrongFlatGeobuf}
 */
export function readGeometry(bytes: Buffer, table: TableReader, fileType: number, depth = 0): Geometry {
  const type = fileType === 0 ? (table.byte(6) ?? 0) : fileType;
  if (depth > maxDepth) throw new WrongFlatGeobuf('a geometry is too deep');
  if (type === MultiPolygon || type === GeometryCollection) {
    const partType = type === MultiPolygon ? Polygon : 0;
    return {
      type,
      parts: [...table.tables(7)].map((part) => readGeometry(bytes, part, partType, depth + 1)),
    };
  }
  if (type < Point || type > MultiPolygon) throw new WrongFlatGeobuf('a geometry is of an unknown kind');
  const positions = table.list(1, 8) ?? { start: 0, length: 0 };
  const ends = table.list(0, 4) ?? { start: 0, length: 0 };
  const above = table.list(2, 8);
  if (above !== undefined && 2 * above.length !== positions.length)
    throw new WrongFlatGeobuf('a geometry has more or fewer heights than positions');
  const numbers = (from: number, to: number, { start } = positions): Float64Array => {
    const values = new Float64Array(to - from);
    for (let i = from; i < to; i += 1) values[i - from] = bytes.readDoubleLE(start + 8 * i);
    if (!values.every(Number.isFinite)) throw new WrongFlatGeobuf('a coordinate is not a number');
    return values;
  };
  const heightsOf = (lists: readonly Float64Array[]) => {
    if (above === undefined) return {};
    let from = 0;
    return { heights: lists.map(({ length }) => numbers(from, (from += length / 2), above)) };
  };
  if (ends.length === 0) {
    const lists = [numbers(0, positions.length - (positions.length % 2))];
    return { type, lists, ...heightsOf(lists) };
  }
  let before = 0;
  const lists = Array.from({ length: ends.length }, (_, i) => {
    const end = 2 * bytes.readUInt32LE(ends.start + 4 * i);
    if (end < before || end > positions.length)
      throw new WrongFlatGeobuf('a line ends outside of its geometry');
    const list = numbers(before, end);
    before = end;
    return list;
  });
  return { type, lists, ...heightsOf(lists) };
}

/** Formats a geometry as GeoJSON without checking its polygons. */
export function geometryJson(geometry: Geometry, text: PositionText): string {
  if ('parts' in geometry) {
    if (geometry.type === GeometryCollection) {
      const members = geometry.parts.map((part) => geometryJson(part, text));
      return `{"type":"GeometryCollection","geometries":[${members.join(',')}]}`;
    }
    const polygons = geometry.parts.map((part) => `[${'lists' in part ? listsText(part, text) : ''}]`);
    return `{"type":"MultiPolygon","coordinates":[${polygons.join(',')}]}`;
  }
  const { type, lists, heights } = geometry;
  const [first = new Float64Array()] = lists;
  switch (type) {
    case Point:
      return `{"type":"Point","coordinates":${text(first[0] ?? 0, first[1] ?? 0, heights?.[0]?.[0])}}`;
    case MultiPoint:
      return `{"type":"MultiPoint","coordinates":[${positionsText(first, text, heights?.[0])}]}`;
    case LineString:
      return `{"type":"LineString","coordinates":[${positionsText(first, text, heights?.[0])}]}`;
    default:
      return `{"type":"${type === Polygon ? 'Polygon' : 'MultiLineString'}","coordinates":[${listsText(geometry, text)}]}`;
  }
}

function listsText({ lists, heights }: SimpleGeometry, text: PositionText): string {
  return lists.map((list, index) => `[${positionsText(list, text, heights?.[index])}]`).join(',');
}

function positionsText(list: Float64Array, text: PositionText, heights?: Float64Array): string {
  let joined = '';
  for (let i = 0; i + 1 < list.length; i += 2)
    joined += (i === 0 ? '' : ',') + text(list[i] ?? 0, list[i + 1] ?? 0, heights?.[i / 2]);
  return joined;
}

/** Returns whether a geometry and a box share a point; edges belong to both. */
export function meets(geometry: Geometry, box: Box): boolean {
  if ('parts' in geometry) return geometry.parts.some((part) => meets(part, box));
  const { type, lists } = geometry;
  if (type === Point || type === MultiPoint)
    return lists.some((list) => hasPosition(list, (x, y) => isIn(box, x, y)));
  if (lists.some((list) => crosses(list, box))) return true;
  return type === Polygon && surrounds(lists, box[0], box[1]);
}

function hasPosition(list: Float64Array, is: (x: number, y: number) => boolean): boolean {
  for (let i = 0; i + 1 < list.length; i += 2) if (is(list[i] ?? 0, list[i + 1] ?? 0)) return true;
  return false;
}

const isIn = ([west, south, east, north]: Box, x: number, y: number): boolean =>
  x >= west && x <= east && y >= south && y <= north;

/** Returns whether a line intersects a box, by clipping each segment to the four sides. */
function crosses(list: Float64Array, [west, south, east, north]: Box): boolean {
  for (let i = 0; i + 3 < list.length; i += 2) {
    const [x, y] = [list[i] ?? 0, list[i + 1] ?? 0];
    const [dx, dy] = [(list[i + 2] ?? 0) - x, (list[i + 3] ?? 0) - y];
    let [from, to] = [0, 1];
    for (const [step, room] of [
      [-dx, x - west],
      [dx, east - x],
      [-dy, y - south],
      [dy, north - y],
    ] as const) {
      if (step === 0) {
        if (room < 0) to = -1;
      } else if (step < 0) from = Math.max(from, room / step);
      else to = Math.min(to, room / step);
    }
    if (from <= to) return true;
  }
  return false;
}

/** Returns whether a point is inside rings, of which the inner ones are holes. */
function surrounds(rings: readonly Float64Array[], x: number, y: number): boolean {
  let within = false;
  for (const ring of rings) {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = [ring[i] ?? 0, ring[i + 1] ?? 0, ring[i + 2] ?? 0, ring[i + 3] ?? 0];
      if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) within = !within;
    }
  }
  return within;
}
