import type { Parts, Positions, Rings } from '../../../formats/features/geometry.ts';
import type { Heights } from '../../../formats/features/heights.ts';
import { geometryTypes, type GeometryTypeName } from '../../../flatgeobuf/layout.ts';

export const writtenTypes: readonly GeometryTypeName[] = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
];

/** The type of a geometry, and the bytes of its table, which are aligned to 8 bytes and can be moved to any aligned offset. */
export interface EncodedGeometry {
  readonly type: GeometryTypeName;
  readonly bytes: Buffer;
}

/** Offset of the table in the bytes, after its vtable. */
export const geometryTableAt = 24;
const typeAt = geometryTableAt + 16;
const listsAt = 48;
/** Offset of the heights in the table, and of their entry in the vtable. */
const [heightsAt, heightsFieldAt] = [geometryTableAt + 20, 8];

/** Fields of the table as offsets from its start: ends, xy, z, m, t, tm, type, parts. */
const fieldOffsets = Buffer.alloc(geometryTableAt);
for (const [index, value] of [20, 24, 4, 8, 0, 0, 0, 0, 16, 12].entries())
  fieldOffsets.writeUInt16LE(value, 2 * index);

/**
 * Encodes geometry of one type, or a collection of several; undefined for none.
 * @param isMulti true for a multi-geometry, even with one member.
 * @param heights of all positions; NaN becomes 0.
 */
export function encodeGeometry(
  { points, lines, polygons }: Parts,
  isMulti: boolean,
  heights?: Heights,
): EncodedGeometry | undefined {
  const kinds: EncodedGeometry[] = [];
  const encode = (type: GeometryTypeName, lists: readonly Positions[], ends: readonly number[] = []) => {
    const flat = simple(type, lists.flat(), ends);
    return heights === undefined
      ? flat
      : withHeights(
          flat,
          lists.flatMap((list) => heights.get(list) ?? []),
        );
  };
  if (points.length > 0) kinds.push(encode(points.length > 2 || isMulti ? 'MultiPoint' : 'Point', [points]));
  if (lines.length > 0) {
    const type = lines.length > 1 || isMulti ? 'MultiLineString' : 'LineString';
    kinds.push(encode(type, lines, endsOf(lines)));
  }
  if (polygons.length > 0) {
    const members = polygons.map((rings: Rings) => encode('Polygon', rings, endsOf(rings)));
    const [only] = members;
    kinds.push(members.length === 1 && only && !isMulti ? only : collection('MultiPolygon', members));
  }
  const [only] = kinds;
  return kinds.length > 1 ? collection('GeometryCollection', kinds) : only;
}

/** Returns the end of each line or ring as a number of positions. */
function endsOf(lists: readonly Positions[]): readonly number[] {
  let end = 0;
  return lists.map(({ length }) => (end += length / 2));
}

function simple(type: GeometryTypeName, xy: Positions, ends: readonly number[]): EncodedGeometry {
  const endsBytes = 4 + 4 * ends.length;
  // Positions start at a multiple of 8, directly after their count.
  const positionsAt = roundedUp(listsAt + endsBytes + 4);
  const bytes = table(type, positionsAt + 8 * xy.length);
  bytes.writeUInt32LE(listsAt - (geometryTableAt + 4), geometryTableAt + 4);
  bytes.writeUInt32LE(positionsAt - 4 - (geometryTableAt + 8), geometryTableAt + 8);
  bytes.writeUInt32LE(ends.length, listsAt);
  ends.forEach((end, index) => bytes.writeUInt32LE(end, listsAt + 4 + 4 * index));
  bytes.writeUInt32LE(xy.length, positionsAt - 4);
  for (let i = 0; i < xy.length; i += 1) bytes.writeDoubleLE(xy[i] ?? 0, positionsAt + 8 * i);
  if (ends.length === 0) bytes.writeUInt16LE(0, 4);
  bytes.writeUInt16LE(0, 18);
  return { type, bytes };
}

function collection(type: GeometryTypeName, members: readonly EncodedGeometry[]): EncodedGeometry {
  const headBytes = roundedUp(listsAt + 4 + 4 * members.length);
  const head = table(type, headBytes);
  head.writeUInt16LE(0, 4);
  head.writeUInt16LE(0, 6);
  head.writeUInt32LE(listsAt - (geometryTableAt + 12), geometryTableAt + 12);
  head.writeUInt32LE(members.length, listsAt);
  let at = headBytes;
  for (const [index, { bytes }] of members.entries()) {
    const field = listsAt + 4 + 4 * index;
    head.writeUInt32LE(at + geometryTableAt - field, field);
    at += bytes.length;
  }
  return { type, bytes: Buffer.concat([head, ...members.map(({ bytes }) => bytes)]) };
}

/** Adds a height per position after the positions of a geometry of one type. */
function withHeights({ type, bytes }: EncodedGeometry, heights: readonly number[]): EncodedGeometry {
  const numbersAt = bytes.length + 8;
  const higher = Buffer.concat([bytes, Buffer.alloc(8 + 8 * heights.length)]);
  higher.writeUInt16LE(heightsAt - geometryTableAt, heightsFieldAt);
  higher.writeUInt32LE(numbersAt - 4 - heightsAt, heightsAt);
  higher.writeUInt32LE(heights.length, numbersAt - 4);
  for (const [index, height] of heights.entries())
    higher.writeDoubleLE(Number.isNaN(height) ? 0 : height, numbersAt + 8 * index);
  return { type, bytes: higher };
}

/** Adds heights of 0 to a geometry without heights. */
export function raised(geometry: EncodedGeometry): EncodedGeometry {
  const { type, bytes } = geometry;
  if (type === 'MultiPolygon' || type === 'GeometryCollection')
    return collection(type, membersOf(bytes).map(raised));
  if (bytes.readUInt16LE(heightsFieldAt) !== 0) return geometry;
  const numbersAt = geometryTableAt + 8;
  const count = bytes.readUInt32LE(numbersAt + bytes.readUInt32LE(numbersAt)) / 2;
  return withHeights(
    geometry,
    Array.from({ length: count }, () => 0),
  );
}

/** Splits the result of `collection`. */
function membersOf(bytes: Buffer): readonly EncodedGeometry[] {
  const begins = Array.from({ length: bytes.readUInt32LE(listsAt) }, (_, index) => {
    const field = listsAt + 4 + 4 * index;
    return field + bytes.readUInt32LE(field) - geometryTableAt;
  });
  return begins.map((begin, index) => {
    const own = bytes.subarray(begin, begins[index + 1] ?? bytes.length);
    const type = writtenTypes.find((name) => geometryTypes[name] === own.readUInt8(typeAt)) ?? 'Unknown';
    return { type, bytes: own };
  });
}

function table(type: GeometryTypeName, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  fieldOffsets.copy(bytes);
  bytes.writeInt32LE(geometryTableAt, geometryTableAt);
  bytes.writeUInt8(geometryTypes[type], typeAt);
  return bytes;
}

const multiOf: Partial<Record<GeometryTypeName, GeometryTypeName>> = {
  Point: 'MultiPoint',
  LineString: 'MultiLineString',
  Polygon: 'MultiPolygon',
};

/** Returns the most specific type that can represent all of these types; Unknown for none. */
export function commonType(types: ReadonlySet<GeometryTypeName>): GeometryTypeName {
  const [only = 'Unknown'] = types;
  if (types.size <= 1) return only;
  const multi = new Set([...types].map((type) => multiOf[type] ?? type));
  const [common = 'Unknown'] = multi;
  return multi.size === 1 ? common : 'Unknown';
}

/** Converts a geometry to the common type of its file. */
export function promoted(geometry: EncodedGeometry, common: GeometryTypeName): EncodedGeometry {
  if (common === 'Unknown' || geometry.type === common) return geometry;
  if (common === 'MultiPolygon') return collection(common, [geometry]);
  const bytes = Buffer.from(geometry.bytes);
  bytes.writeUInt8(geometryTypes[common], typeAt);
  return { type: common, bytes };
}

function roundedUp(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
