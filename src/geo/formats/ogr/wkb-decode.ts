import { withCorners, withExtent, type Parts, type Positions, type Rings } from '../features/geometry.ts';
import { footprintOf } from '../features/footprint.ts';
import { arcsAsLine } from './arcs.ts';
import { kinds, readWkbType } from './wkb-kinds.ts';

/** Binary that ends early, is nested deeper than any, or has a kind of geometry where there is none such. */
export class BrokenWkb extends Error {
  override readonly name = 'BrokenWkb';
}

/** What becomes of geometry that is not taken as it stands. */
export interface DecodeEvents {
  /** A line, a polygon or all pieces of a solid have no extent. */
  readonly leaveOut?: () => void;
  /** A solid or triangle has become its footprint. */
  readonly flatten?: () => void;
}

/** GDAL reads no deeper. */
const maxDepth = 32;
const positionBytes = 16;
/** Every member has at least a byte order and a kind. */
const leastMemberBytes = 5;

/**
 * Takes well-known binary apart by dimension. Collections are opened, curves become lines, the pieces of solids their
 * footprint; empty members, points that are no numbers, heights and measures are left out.
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
  const positions = ({ isLittle, stride }: Head): number[] => {
    const values = Array.from({ length: count(isLittle, stride) * 2 }, () => 0);
    for (let i = 0; i < values.length; i += 2, at += stride) {
      values[i] = view.getFloat64(at, isLittle);
      values[i + 1] = view.getFloat64(at + 8, isLittle);
    }
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

  /** A line, or what is put together from lines and arcs. */
  const curve = (): number[] => {
    const of = head();
    if (of.kind === kinds.line) return positions(of);
    if (of.kind === kinds.circularString) return arcsAsLine(positions(of));
    if (of.kind !== kinds.compoundCurve) throw new BrokenWkb(`WKB of the kind ${of.kind} as a curve`);
    return compound(of);
  };
  const compound = (of: Head): number[] => {
    const line: number[] = [];
    members(of, () => appendCurve(line, curve()));
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
        at += of.stride;
        // An empty point is one of NaN.
        if (!Number.isNaN(x) && !Number.isNaN(y)) points.push(x, y);
        return;
      }
      case kinds.line:
        lines.push(...withExtent(positions(of), events.leaveOut));
        return;
      case kinds.circularString:
        lines.push(...withExtent(arcsAsLine(positions(of)), events.leaveOut));
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

/** Continues a line with a curve that begins where the line ends. */
function appendCurve(line: number[], curve: readonly number[]): void {
  const repeats = line.length > 0 && line.at(-2) === curve[0] && line.at(-1) === curve[1];
  for (let i = repeats ? 2 : 0; i < curve.length; i += 1) line.push(curve[i] ?? 0);
}
