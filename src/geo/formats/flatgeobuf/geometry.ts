import { type ListPlace, type TableReader, WrongFlatGeobuf } from '../../flatgeobuf/table-reader.ts';
import { kinds } from '../ogr/wkb.ts';

/** Geometry whose members are geometries themselves, with the type of those that name none. */
const memberTypes: ReadonlyMap<number, number> = new Map([
  [kinds.multiPolygon, kinds.polygon],
  [kinds.collection, 0],
  [kinds.compoundCurve, 0],
  [kinds.curvePolygon, 0],
  [kinds.multiCurve, 0],
  [kinds.multiSurface, 0],
  [kinds.polyhedralSurface, kinds.polygon],
]);
/** Geometry whose members are lists of positions, with the type of each as WKB; undefined for rings. */
const listTypes: ReadonlyMap<number, number | undefined> = new Map([
  [kinds.polygon, undefined],
  [kinds.triangle, undefined],
  [kinds.multiLine, kinds.line],
  [kinds.tin, kinds.triangle],
]);

/** The limit of WKB. */
const maxDepth = 32;
const withHeights = 1000;
/** Longitude and latitude, or x and y. */
const positionBytes = 16;
/** A table, and the offset that leads to it. */
const leastTableBytes = 8;
const fields = { ends: 0, positions: 1, heights: 2, type: 6, parts: 7 };

interface Kind {
  /** Type of all geometry of the file; 0 if each names its own. */
  readonly fileType: number;
  readonly hasHeights: boolean;
}

/**
 * Converts a geometry to little-endian WKB of ISO. Measures and times are left out.
 * @throws {WrongFlatGeobuf} also if members share their bytes, so that a small geometry would become a large one.
 */
export function geometryAsWkb(bytes: Buffer, table: TableReader, kind: Kind): Buffer {
  const { hasHeights } = kind;
  const out = createWriter(hasHeights);
  let unusedBytes = bytes.length;
  write(table, kind.fileType, 0);
  return out.finish();

  function spend(spentBytes: number): void {
    unusedBytes -= spentBytes;
    if (unusedBytes < 0) throw new WrongFlatGeobuf('parts of a geometry share their bytes');
  }

  function write(geometry: TableReader, expected: number, depth: number): void {
    if (depth > maxDepth) throw new WrongFlatGeobuf('a geometry is too deep');
    spend(leastTableBytes);
    // A member may be more specific than its geometry says, such as a curve in a surface.
    const own = geometry.byte(fields.type) ?? 0;
    const type = expected === 0 || (depth > 0 && own !== 0) ? own : expected;
    const members = memberTypes.get(type);
    if (members === undefined) return writePositions(geometry, type);
    out.head(type);
    out.count(geometry.list(fields.parts, 4)?.length ?? 0);
    for (const part of geometry.tables(fields.parts)) write(part, members, depth + 1);
  }

  function writePositions(geometry: TableReader, type: number): void {
    const positions = readPositions(bytes, geometry, hasHeights);
    const { count } = positions;
    spend(positionBytes * count);
    if (type === kinds.point) {
      out.head(type);
      out.position(positions.at(0));
    } else if (type === kinds.line || type === kinds.circularString) {
      out.head(type);
      writeList(positions, 0, count);
    } else if (type === kinds.multiPoint) {
      out.head(type);
      out.count(count);
      for (let i = 0; i < count; i += 1) {
        out.head(kinds.point);
        out.position(positions.at(i));
      }
    } else if (listTypes.has(type)) {
      writeLists(type, positions, listEnds(bytes, geometry.list(fields.ends, 4), count));
    } else throw new WrongFlatGeobuf(`a geometry is of the unknown kind ${type}`);
  }

  function writeLists(type: number, positions: Positions, ends: readonly number[]): void {
    const each = listTypes.get(type);
    spend(4 * ends.length);
    out.head(type);
    out.count(ends.length);
    let before = 0;
    for (const end of ends) {
      if (each !== undefined) out.head(each);
      if (each === kinds.triangle) out.count(1);
      writeList(positions, before, end);
      before = end;
    }
  }

  function writeList(positions: Positions, from: number, to: number): void {
    out.count(to - from);
    for (let i = from; i < to; i += 1) out.position(positions.at(i));
  }
}

type Position = readonly [x: number, y: number, height: number];
type Positions = ReturnType<typeof readPositions>;

function readPositions(bytes: Buffer, geometry: TableReader, hasHeights: boolean) {
  const xy = geometry.list(fields.positions, 8) ?? { start: 0, length: 0 };
  const z = hasHeights ? geometry.list(fields.heights, 8) : undefined;
  if (xy.length % 2 !== 0) throw new WrongFlatGeobuf('a position has one coordinate');
  const count = xy.length / 2;
  if (z !== undefined && z.length !== count)
    throw new WrongFlatGeobuf('a geometry has more or fewer heights than positions');
  return {
    count,
    /** Returns a position; one of NaN, as of an empty point, beyond the last. */
    at(index: number): Position {
      if (index >= count) return [Number.NaN, Number.NaN, Number.NaN];
      const at = xy.start + positionBytes * index;
      const height = z === undefined ? Number.NaN : bytes.readDoubleLE(z.start + 8 * index);
      return [bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8), height];
    },
  };
}

/** Creates a writer of WKB whose buffer grows. */
function createWriter(hasHeights: boolean) {
  let buffer = Buffer.allocUnsafe(256);
  let length = 0;
  function reserve(bytes: number): number {
    if (length + bytes > buffer.length)
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length + bytes)]);
    length += bytes;
    return length - bytes;
  }
  const count = (value: number): void => {
    const at = reserve(4);
    buffer.writeUInt32LE(value, at);
  };
  return {
    count,
    head(type: number): void {
      const at = reserve(1);
      buffer.writeUInt8(1, at);
      count(type + (hasHeights ? withHeights : 0));
    },
    position([x, y, height]: Position): void {
      const at = reserve(hasHeights ? 24 : 16);
      buffer.writeDoubleLE(x, at);
      buffer.writeDoubleLE(y, at + 8);
      if (hasHeights) buffer.writeDoubleLE(height, at + 16);
    },
    finish: (): Buffer => buffer.subarray(0, length),
  };
}

/** Returns where each line or ring ends, in positions; without ends there is one. */
function listEnds(bytes: Buffer, ends: ListPlace | undefined, count: number): readonly number[] {
  if (ends === undefined || ends.length === 0) return count === 0 ? [] : [count];
  let before = 0;
  return Array.from({ length: ends.length }, (_, index) => {
    const end = bytes.readUInt32LE(ends.start + 4 * index);
    if (end < before || end > count) throw new WrongFlatGeobuf('a line ends outside of its geometry');
    before = end;
    return end;
  });
}
