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
const kindNames =
  `Unknown Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection CircularString
   CompoundCurve CurvePolygon MultiCurve MultiSurface Curve Surface PolyhedralSurface TIN Triangle`.split(
    /\s+/,
  );

/** Names the kind of an ISO number, or of GDAL's own for geometry with heights (its highest bit is set). */
export function kindName(kind: number): string {
  return kindNames[(kind & 0xffff) % dimensionStep] ?? 'Unknown';
}

/** Curves and their like, which are not taken apart here. */
export class UnsupportedKind extends Error {
  override readonly name = 'UnsupportedKind';
}

const positionBytes = 16;
const uint32Bytes = 4;

export const encodePolygon = (rings: Rings): Buffer =>
  encode(
    kinds.polygon,
    rings.length,
    rings.flatMap((ring) => [uint32(ring.length / 2), doubles(ring)]),
  );
export const encodeLine = (line: Positions): Buffer => encode(kinds.line, line.length / 2, [doubles(line)]);
export const encodeMultiPolygon = (polygons: readonly Buffer[]): Buffer =>
  encode(kinds.multiPolygon, polygons.length, polygons);
export const encodeMultiLine = (lines: readonly Buffer[]): Buffer =>
  encode(kinds.multiLine, lines.length, lines);

/** Encodes all parts as one collection. */
export function encodeParts({ points, lines, polygons }: Parts): Buffer {
  const members: Buffer[] = [];
  for (let i = 0; i + 1 < points.length; i += 2)
    members.push(Buffer.concat([head(kinds.point), doubles(points.slice(i, i + 2))]));
  const all = [...members, ...lines.map(encodeLine), ...polygons.map(encodePolygon)];
  return encode(kinds.collection, all.length, all);
}

/** Returns the first position of a polygon in two dimensions, as `encodePolygon` writes it. */
export function firstPosition(polygon: Buffer): { readonly x: number; readonly y: number } {
  const start = head(kinds.polygon).length + 2 * uint32Bytes; // behind the counts of rings and of positions
  return { x: polygon.readDoubleLE(start), y: polygon.readDoubleLE(start + positionBytes / 2) };
}

function encode(kind: number, count: number, content: readonly Buffer[]): Buffer {
  return Buffer.concat([head(kind), uint32(count), ...content]);
}

function head(kind: number): Buffer {
  const bytes = Buffer.of(1, 0, 0, 0, 0);
  bytes.writeUInt32LE(kind, 1);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function doubles(values: Positions): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 8);
  values.forEach((value, index) => bytes.writeDoubleLE(value, index * 8));
  return bytes;
}

/**
 * Takes GDAL's binary (little-endian, ISO) apart by dimension; collections are opened; empty members, points that are
 * no numbers and what has no extent, of which `leaveOut` learns, are left out, heights and measures too.
 * @throws {UnsupportedKind}
 */
export function decodeParts(wkb: Buffer, leaveOut?: () => void): Parts {
  const points: number[] = [];
  const lines: Positions[] = [];
  const polygons: Rings[] = [];
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  let at = 0;

  const nextUint32 = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const positions = (skippedBytes: number): number[] => {
    const values = Array.from({ length: nextUint32() * 2 }, () => 0);
    for (let i = 0; i < values.length; i += 2, at += positionBytes + skippedBytes) {
      values[i] = view.getFloat64(at, true);
      values[i + 1] = view.getFloat64(at + 8, true);
    }
    return values;
  };
  const geometry = (): void => {
    if (view.getUint8(at) !== 1) throw new Error('GDAL wrote big-endian WKB');
    at += 1;
    const number = nextUint32();
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
      case kinds.line:
        lines.push(...withExtent(positions(skippedBytes), leaveOut));
        return;
      case kinds.polygon:
        polygons.push(
          ...withCorners(
            Array.from({ length: nextUint32() }, () => positions(skippedBytes)),
            leaveOut,
          ),
        );
        return;
      case kinds.multiPoint:
      case kinds.multiLine:
      case kinds.multiPolygon:
      case kinds.collection:
        for (let left = nextUint32(); left > 0; left -= 1) geometry();
        return;
      default:
        throw new UnsupportedKind(`WKB of the kind ${number}`);
    }
  };
  geometry();
  return { points, lines, polygons };
}
