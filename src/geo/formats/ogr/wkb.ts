import {
  type Parts,
  type Positions,
  positionsOf,
  type Rings,
  type SourceGeometry,
  withCorners,
  withExtent,
  footprintOf,
} from '../features/geometry.ts';
import { createHeightNotes, type HeightNotes } from '../features/heights.ts';
import { arcsAsLine } from './arcs.ts';

/** Type numbers of well-known binary, and of FlatGeobuf. */
export const kinds = {
  point: 1,
  line: 2,
  polygon: 3,
  multiPoint: 4,
  multiLine: 5,
  multiPolygon: 6,
  collection: 7,
  circularString: 8,
  compoundCurve: 9,
  curvePolygon: 10,
  multiCurve: 11,
  multiSurface: 12,
  polyhedralSurface: 15,
  tin: 16,
  triangle: 17,
} as const;

/** Distance between ISO's type numbers for: plain, with Z, with M, with both. */
const dimensionStep = 1000;
/** Flags of the numbers before ISO: heights and measures. */
const [oldHeight, oldMeasure] = [0x8000_0000, 0x4000_0000];
const ordinateBytes = 8;

/** By type number; `Unknown` is that of a layer without a declared type. */
const kindNames =
  `Unknown Point LineString Polygon MultiPoint MultiLineString MultiPolygon GeometryCollection CircularString
   CompoundCurve CurvePolygon MultiCurve MultiSurface Curve Surface PolyhedralSurface TIN Triangle`.split(
    /\s+/,
  );

/** Returns the name of a type number, of ISO or with the older flags. */
export function kindName(kind: number): string {
  return kindNames[(kind & 0xffff) % dimensionStep] ?? 'Unknown';
}

/** Splits a type number, of ISO or with the older flags, into the type and the bytes of heights and measures per position. */
function readWkbType(number: number): {
  readonly kind: number;
  readonly skippedBytes: number;
  readonly hasHeight: boolean;
} {
  const iso = number % oldMeasure;
  const dimensions = Math.floor(iso / dimensionStep);
  const hasHeight = dimensions === 1 || dimensions === 3 || number >= oldHeight;
  const hasMeasure = dimensions === 2 || dimensions === 3 || (number & oldMeasure) !== 0;
  const skippedBytes = (hasHeight ? ordinateBytes : 0) + (hasMeasure ? ordinateBytes : 0);
  return { kind: dimensions > 3 ? -1 : iso % dimensionStep, skippedBytes, hasHeight };
}

/** Binary that is truncated, nested too deep, or has an unexpected geometry type. */
export class BrokenWkb extends Error {
  override readonly name = 'BrokenWkb';
}

/** Callbacks for geometry that is changed. */
interface DecodeEvents {
  /** A line, a polygon or all pieces of a solid have no extent. */
  readonly leaveOut?: () => void;
  /** A solid or triangle was flattened to its footprint. */
  readonly flatten?: () => void;
  /** Receives the heights of positions; those of arcs are lost. */
  readonly heights?: HeightNotes;
}

/** Maximum nesting depth, as in GDAL. */
const maxDepth = 32;
/** Every member has at least a byte order and a type. */
const leastMemberBytes = 5;

/** Decodes a geometry with its type, its heights, and what could not be kept. @throws {BrokenWkb} */
export function decodeGeometry(wkb: Buffer): SourceGeometry {
  let leftOut = 0;
  let isFlattened = false;
  const heights = createHeightNotes();
  const parts = decodeParts(wkb, {
    leaveOut: () => (leftOut += 1),
    flatten: () => (isFlattened = true),
    heights,
  });
  const isLittle = wkb.readUInt8(0) === 1;
  return {
    type: kindName(isLittle ? wkb.readUInt32LE(1) : wkb.readUInt32BE(1)),
    parts,
    leftOut,
    isFlattened,
    // The footprint of a solid has no heights to lose.
    heights: isFlattened ? undefined : heights.finish(positionsOf(parts)),
    isHigh: heights.isHigh() && !isFlattened,
  };
}

/**
 * Splits well-known binary by dimension. Opens collections, and converts curves to lines and pieces of solids to their
 * footprint; omits empty members, points of NaN, and measures.
 * @throws {BrokenWkb}
 */
export function decodeParts(wkb: Buffer, events: DecodeEvents = {}): Parts {
  const points: number[] = [];
  const lines: Positions[] = [];
  const polygons: Rings[] = [];
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  let at = 0;
  let depth = 0;

  const need = (bytes: number): void => {
    if (at + bytes > view.byteLength) throw new BrokenWkb('the binary is cut short');
  };
  const head = () => {
    need(leastMemberBytes);
    const order = view.getUint8(at);
    if (order > 1) throw new BrokenWkb(`the byte order is ${order}`);
    const isLittle = order === 1;
    const type = readWkbType(view.getUint32(at + 1, isLittle));
    at += leastMemberBytes;
    return { ...type, isLittle, stride: positionBytes + type.skippedBytes };
  };
  type Head = ReturnType<typeof head>;
  const count = (isLittle: boolean, leastBytes: number): number => {
    need(4);
    const number = view.getUint32(at, isLittle);
    at += 4;
    need(number * leastBytes);
    return number;
  };
  const positions = ({ isLittle, stride, hasHeight }: Head): number[] => {
    const values = Array.from({ length: count(isLittle, stride) * 2 }, () => 0);
    const heights = hasHeight && events.heights ? values.slice(0, values.length / 2) : [];
    for (let i = 0; i < values.length; i += 2, at += stride) {
      values[i] = view.getFloat64(at, isLittle);
      values[i + 1] = view.getFloat64(at + 8, isLittle);
      if (heights.length > 0) heights[i / 2] = view.getFloat64(at + positionBytes, isLittle);
    }
    if (heights.length > 0) events.heights?.set(values, heights);
    return values;
  };
  const rings = (of: Head): number[][] => Array.from({ length: count(of.isLittle, 4) }, () => positions(of));
  const members = ({ isLittle }: Head, each: () => void): void => {
    depth += 1;
    if (depth > maxDepth) throw new BrokenWkb('the binary is nested too deep');
    for (let left = count(isLittle, leastMemberBytes); left > 0; left -= 1) each();
    depth -= 1;
  };
  const polygon = (of: readonly number[][]): void => {
    polygons.push(...withCorners(of, events.leaveOut));
  };

  const arcs = (of: Head): number[] => {
    const line = arcsAsLine(positions(of));
    events.heights?.lose();
    return line;
  };
  /** Reads a line, or a curve of lines and arcs. */
  const curve = (): number[] => {
    const of = head();
    if (of.kind === kinds.line) return positions(of);
    if (of.kind === kinds.circularString) return arcs(of);
    if (of.kind !== kinds.compoundCurve) throw new BrokenWkb(`WKB of the kind ${of.kind} as a curve`);
    return compound(of);
  };
  const compound = (of: Head): number[] => {
    const line: number[] = [];
    members(of, () => appendCurve(line, curve()));
    events.heights?.lose();
    return line;
  };
  const curvedRings = (of: Head): number[][] => {
    const all: number[][] = [];
    members(of, () => all.push(curve()));
    return all;
  };

  const solid = (pieces: readonly (readonly number[][])[]): void => {
    events.flatten?.();
    for (const piece of footprintOf(pieces, events.leaveOut)) polygons.push(piece);
  };
  const piece = (): number[][] => {
    const of = head();
    if (of.kind !== kinds.polygon && of.kind !== kinds.triangle)
      throw new BrokenWkb(`WKB of the kind ${of.kind} in a solid`);
    return rings(of);
  };

  const geometry = (): void => {
    const of = head();
    switch (of.kind) {
      case kinds.point: {
        need(of.stride);
        const [x, y] = [view.getFloat64(at, of.isLittle), view.getFloat64(at + 8, of.isLittle)];
        const height = of.hasHeight ? view.getFloat64(at + positionBytes, of.isLittle) : Number.NaN;
        at += of.stride;
        // An empty point is encoded as NaN.
        if (Number.isNaN(x) || Number.isNaN(y)) return;
        points.push(x, y);
        events.heights?.add(points, height);
        return;
      }
      case kinds.line:
        lines.push(...withExtent(positions(of), events.leaveOut));
        return;
      case kinds.circularString:
        lines.push(...withExtent(arcs(of), events.leaveOut));
        return;
      case kinds.compoundCurve:
        lines.push(...withExtent(compound(of), events.leaveOut));
        return;
      case kinds.polygon:
        return polygon(rings(of));
      case kinds.curvePolygon:
        return polygon(curvedRings(of));
      case kinds.triangle:
        return solid([rings(of)]);
      case kinds.polyhedralSurface:
      case kinds.tin: {
        const pieces: number[][][] = [];
        members(of, () => pieces.push(piece()));
        return solid(pieces);
      }
      case kinds.multiPoint:
      case kinds.multiLine:
      case kinds.multiPolygon:
      case kinds.collection:
      case kinds.multiCurve:
      case kinds.multiSurface:
        return members(of, geometry);
      default:
        throw new BrokenWkb(`WKB of the kind ${of.kind}`);
    }
  };
  geometry();
  return { points, lines, polygons };
}

/** Appends a curve that starts at the end of the line. */
function appendCurve(line: number[], curve: readonly number[]): void {
  const repeats = line.length > 0 && line.at(-2) === curve[0] && line.at(-1) === curve[1];
  for (let i = repeats ? 2 : 0; i < curve.length; i += 1) line.push(curve[i] ?? 0);
}

/** Encoding of geometry for GDAL: little-endian well-known binary in two dimensions, without loss. */
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

export function encodeParts({ points, lines, polygons }: Parts): Buffer {
  const members: Buffer[] = [];
  for (let i = 0; i + 1 < points.length; i += 2)
    members.push(Buffer.concat([head(kinds.point), doubles(points.slice(i, i + 2))]));
  const all = [...members, ...lines.map(encodeLine), ...polygons.map(encodePolygon)];
  return encode(kinds.collection, all.length, all);
}

/** Returns the first position of a polygon that `encodePolygon` has encoded. */
export function firstPosition(polygon: Buffer): { readonly x: number; readonly y: number } {
  const start = head(kinds.polygon).length + 2 * uint32Bytes; // after the numbers of rings and of positions
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
