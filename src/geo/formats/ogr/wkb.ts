import type { Parts, Positions, Rings } from '../features/geometry.ts';
import { kinds } from './wkb-kinds.ts';

/** Well-known binary, little-endian: how geometry goes to GDAL, in two dimensions and without loss. */
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
