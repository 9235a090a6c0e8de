import { withCorners, withExtent, type Parts, type Positions, type Rings } from '../features/geometry.ts';

/** Well-known binary, little-endian: how geometry goes to GDAL (in two dimensions) and comes back, without loss. */
const kinds = {
  point: 1,
  line: 2,
  polygon: 3,
  multiPoint: 4,
  multiLine: 5,
  multiPolygon: 6,
  collection: 7,
} as const;

/** ISO's numbers for the kinds repeat in steps of this: without more, with Z, with M, with both. */
const dimensionStep = 1000;

/** By kind; `Unknown` is that of a layer that says nothing. */
const kindNames = [
  'Unknown',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
  'Curve',
  'Surface',
  'PolyhedralSurface',
  'TIN',
  'Triangle',
] as const;

/** The name of an ISO number, or of GDAL's own for geometry with heights (its highest bit is set). */
export function kindName(kind: number): string {
  return kindNames[(kind & 0xffff) % dimensionStep] ?? 'Unknown';
}

/** Curves and their like, which are not taken apart here. */
export class UnsupportedKind extends Error {
  override readonly name = 'UnsupportedKind';
}

const headBytes = 5;
const countBytes = 4;
const positionBytes = 16;

export function encodePolygon(rings: Rings): Buffer {
  const bytes = Buffer.allocUnsafe(
    headBytes + countBytes + rings.reduce((sum, ring) => sum + countBytes + ring.length * 8, 0),
  );
  let at = writeHead(bytes, 0, kinds.polygon);
  at = bytes.writeUInt32LE(rings.length, at);
  for (const ring of rings) at = writePositions(bytes, at, ring);
  return bytes;
}

export function encodeLine(line: Positions): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + countBytes + line.length * 8);
  writePositions(bytes, writeHead(bytes, 0, kinds.line), line);
  return bytes;
}

export const encodeMultiPolygon = (polygons: readonly Buffer[]): Buffer =>
  encodeMulti(kinds.multiPolygon, polygons);
export const encodeMultiLine = (lines: readonly Buffer[]): Buffer => encodeMulti(kinds.multiLine, lines);

/** All parts in one collection. */
export function encodeParts(parts: Parts): Buffer {
  const points: Buffer[] = [];
  for (let i = 0; i + 1 < parts.points.length; i += 2) {
    const bytes = Buffer.allocUnsafe(headBytes + positionBytes);
    const at = writeHead(bytes, 0, kinds.point);
    bytes.writeDoubleLE(parts.points[i + 1] ?? 0, bytes.writeDoubleLE(parts.points[i] ?? 0, at));
    points.push(bytes);
  }
  return encodeMulti(kinds.collection, [
    ...points,
    ...parts.lines.map(encodeLine),
    ...parts.polygons.map(encodePolygon),
  ]);
}

function encodeMulti(kind: number, members: readonly Buffer[]): Buffer {
  const head = Buffer.allocUnsafe(headBytes + countBytes);
  head.writeUInt32LE(members.length, writeHead(head, 0, kind));
  return Buffer.concat([head, ...members]);
}

function writeHead(bytes: Buffer, at: number, kind: number): number {
  return bytes.writeUInt32LE(kind, bytes.writeUInt8(1, at));
}

function writePositions(bytes: Buffer, at: number, positions: Positions): number {
  let next = bytes.writeUInt32LE(positions.length / 2, at);
  for (const value of positions) next = bytes.writeDoubleLE(value, next);
  return next;
}

/**
 * Takes GDAL's binary (little-endian, ISO) apart by dimension; collections are opened; empty members, points that are
 * no numbers and what has no extent are left out, heights and measures too.
 * @throws {UnsupportedKind}
 */
export function decodeParts(wkb: Buffer): Parts {
  const points: number[] = [];
  const lines: Positions[] = [];
  const polygons: Rings[] = [];
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  let at = 0;

  const uint32 = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const positions = (skippedBytes: number): number[] => {
    const values = Array.from({ length: uint32() * 2 }, () => 0);
    for (let i = 0; i < values.length; i += 2, at += positionBytes + skippedBytes) {
      values[i] = view.getFloat64(at, true);
      values[i + 1] = view.getFloat64(at + 8, true);
    }
    return values;
  };
  const geometry = (): void => {
    if (view.getUint8(at) !== 1) throw new Error('GDAL wrote big-endian WKB');
    at += 1;
    const number = uint32();
    const kind = number % dimensionStep;
    const dimensions = Math.floor(number / dimensionStep);
    const skippedBytes = dimensions === 0 ? 0 : dimensions === 3 ? 16 : 8;
    switch (kind) {
      case kinds.point: {
        const [x, y] = [view.getFloat64(at, true), view.getFloat64(at + 8, true)];
        at += positionBytes + skippedBytes;
        // An empty point is one of NaN.
        if (!Number.isNaN(x) && !Number.isNaN(y)) points.push(x, y);
        return;
      }
      case kinds.line: {
        lines.push(...withExtent(positions(skippedBytes)));
        return;
      }
      case kinds.polygon: {
        polygons.push(...withCorners(Array.from({ length: uint32() }, () => positions(skippedBytes))));
        return;
      }
      case kinds.multiPoint:
      case kinds.multiLine:
      case kinds.multiPolygon:
      case kinds.collection:
        for (let left = uint32(); left > 0; left -= 1) geometry();
        return;
      default:
        throw new UnsupportedKind(`WKB of the kind ${number}`);
    }
  };
  geometry();
  return { points, lines, polygons };
}
