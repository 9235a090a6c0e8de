import { halfWorld } from './web-mercator.ts';

const world = 2 * halfWorld;

/**
 * Where the places of a raster's box lie in the raster: the source pixel of a grid of points in Web Mercator. The box is a
 * rectangle of the plane, in metres, and at most a whole turn wide; across 180° it goes on to the east, beyond `halfWorld`.
 */
export interface ViewMesh {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Size of the raster at full resolution, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Points along the upper side of the box, and along its left side, corners included. */
  readonly across: number;
  readonly down: number;
  /** Columns and rows, row by row; 0 is the outer corner of the first pixel. NaN where there is no image. */
  readonly columns: Float32Array;
  readonly rows: Float32Array;
  /**
   * How many points above and to the left of each have no image, the point itself counted: `(across + 1) × (down + 1)`
   * sums. Undefined when each point has one.
   */
  readonly gaps: Uint32Array | undefined;
}

const magic = 'STPMESH1';
const headBytes = 60;
const maxPointsPerSide = 257;
const maxPartsPerSide = 4;
/** The largest mesh there can be. */
export const maxMeshBytes = headBytes + maxPartsPerSide ** 2 * maxPointsPerSide ** 2 * 8;
const maxSide = 2 ** 31 - 1;
const nowhere = [Number.NaN, Number.NaN] as const;
/** Rounding of boxes, as a share. */
const slack = 1e-6;

/**
 * Reads a mesh as the engine has written it: little endian, `STPMESH1`, the box as four doubles (left, top, right, bottom),
 * five unsigned numbers of 32 bits (parts across, parts down, points along the side of a part, width and height of the
 * raster), and for each part, row by row, all columns and then all rows as floats. Parts share the points between them.
 * @throws {RangeError} when the bytes are anything else.
 */
export function decodeMesh(bytes: Uint8Array): ViewMesh {
  const refuse = (what: string): never => {
    throw new RangeError(`the view mesh ${what}`);
  };
  if (bytes.length < headBytes) refuse('is too short');
  if (String.fromCharCode(...bytes.subarray(0, magic.length)) !== magic) refuse('begins with other bytes');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const double = (index: number) => view.getFloat64(8 + 8 * index, true);
  const whole = (index: number) => view.getUint32(40 + 4 * index, true);
  const box = { left: double(0), top: double(1), right: double(2), bottom: double(3) };
  if (!isBox(box)) refuse('has no box of the plane');
  const [partsAcross, partsDown, side] = [whole(0), whole(1), whole(2)];
  const isPart = (parts: number) => parts >= 1 && parts <= maxPartsPerSide;
  if (!isPart(partsAcross) || !isPart(partsDown)) refuse('has a wrong number of parts');
  if (side < 2 || side > maxPointsPerSide) refuse('has a wrong number of points');
  const [width, height] = [whole(3), whole(4)];
  const isSide = (pixels: number) => pixels >= 1 && pixels <= maxSide;
  if (!isSide(width) || !isSide(height)) refuse('is for a raster of no size');
  if (bytes.length !== headBytes + partsAcross * partsDown * side * side * 8) refuse('has a wrong length');

  const across = partsAcross * (side - 1) + 1;
  const down = partsDown * (side - 1) + 1;
  const columns = new Float32Array(across * down);
  const rows = new Float32Array(across * down);
  let at = headBytes;
  const readPart = (numbers: Float32Array, first: number) => {
    for (let j = 0; j < side; j += 1) {
      for (let i = 0; i < side; i += 1, at += 4) {
        const number = view.getFloat32(at, true);
        if (Math.abs(number) === Infinity) refuse('holds an infinite number');
        numbers[first + j * across + i] = number;
      }
    }
  };
  for (let part = 0; part < partsAcross * partsDown; part += 1) {
    const [column, row] = [part % partsAcross, Math.floor(part / partsAcross)];
    const first = row * (side - 1) * across + column * (side - 1);
    readPart(columns, first);
    readPart(rows, first);
  }
  const gaps = gapsOf(columns, rows, across);
  return { ...box, width, height, across, down, columns, rows, gaps };
}

function isBox({ left, top, right, bottom }: Pick<ViewMesh, 'left' | 'top' | 'right' | 'bottom'>): boolean {
  const most = halfWorld * (1 + slack);
  // Written so that NaN does not make a box.
  return (
    right > left &&
    top > bottom &&
    right - left <= world * (1 + slack) &&
    Math.abs(left) <= 2 * world &&
    top <= most &&
    bottom >= -most
  );
}

/** Counts the points without an image, and leaves them neither column nor row. */
function gapsOf(columns: Float32Array, rows: Float32Array, across: number): Uint32Array | undefined {
  const isGap = (at: number) => Number.isNaN(columns[at]) || Number.isNaN(rows[at]);
  if (!columns.some((_, at) => isGap(at))) return undefined;
  for (let at = 0; at < columns.length; at += 1) if (isGap(at)) [columns[at], rows[at]] = nowhere;
  const wide = across + 1;
  const sums = new Uint32Array(wide * (columns.length / across + 1));
  for (let at = 0; at < columns.length; at += 1) {
    const to = (Math.floor(at / across) + 1) * wide + (at % across) + 1;
    const [above, left, both] = [sums[to - wide] ?? 0, sums[to - 1] ?? 0, sums[to - wide - 1] ?? 0];
    sums[to] = above + left - both + (isGap(at) ? 1 : 0);
  }
  return sums;
}

/** How far beyond its box a mesh is continued, in metres. */
export interface Reach {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the source pixel of a point whose turn is the box's: between the points of the mesh in proportion, and beyond
 * the box along the slopes at its edge. NaN, NaN farther away than `reach`, and where one of the four points has no image.
 */
export function pixelInBox(mesh: ViewMesh, x: number, y: number, reach: Reach): readonly [number, number] {
  if (!isInReach(mesh, x, y, reach)) return nowhere;
  const u = meshColumnOf(mesh, x);
  const v = meshRowOf(mesh, y);
  return [numberAt(mesh, mesh.columns, u, v), numberAt(mesh, mesh.rows, u, v)];
}

/** Returns whether a point of the plane, of the box's turn, is in the box or no farther away than this. */
export function isInReach(
  { left, top, right, bottom }: ViewMesh,
  x: number,
  y: number,
  reach: Reach,
): boolean {
  return x >= left - reach.x && x <= right + reach.x && y <= top + reach.y && y >= bottom - reach.y;
}

/** Where a point is among the columns of points of the mesh, the first one being 0. */
export function meshColumnOf({ left, right, across }: ViewMesh, x: number): number {
  return ((x - left) / (right - left)) * (across - 1);
}

/** Where a point is among the rows of points of the mesh, the upper one being 0. */
export function meshRowOf({ top, bottom, down }: ViewMesh, y: number): number {
  return ((top - y) / (top - bottom)) * (down - 1);
}

/**
 * Interpolates the columns or the rows of a mesh between its points. A tile asks a thousand times, and makes no arrays for that.
 * @param u among the columns of points, @param v among their rows.
 */
export function numberAt({ across, down }: ViewMesh, numbers: Float32Array, u: number, v: number): number {
  const i = Math.max(0, Math.min(across - 2, Math.floor(u)));
  const j = Math.max(0, Math.min(down - 2, Math.floor(v)));
  const s = u - i;
  const t = v - j;
  const at = j * across + i;
  const a = numbers[at] ?? Number.NaN;
  const b = numbers[at + 1] ?? Number.NaN;
  const c = numbers[at + across] ?? Number.NaN;
  const d = numbers[at + across + 1] ?? Number.NaN;
  // Within a cell bilinear; outside linear, for the product of two distances would grow beyond all measure.
  const inS = Math.max(0, Math.min(1, s));
  const inT = Math.max(0, Math.min(1, t));
  const upper = a + (b - a) * inS;
  const lower = c + (d - c) * inS;
  const onEdge = upper + (lower - upper) * inT;
  if (s === inS && t === inT) return onEdge;
  const slopeS = b - a + (d - c - (b - a)) * inT;
  return onEdge + (s - inS) * slopeS + (t - inT) * (lower - upper);
}

/**
 * Returns the source pixel of a point of the plane, `[column, row]`, whatever its turn; NaN, NaN where the raster has no
 * image, and more than one cell of the mesh beyond its box.
 */
export function meshPointAt(mesh: ViewMesh, x: number, y: number): readonly [number, number] {
  const { left, right, top, bottom } = mesh;
  const turned = x + world * Math.round(((left + right) / 2 - x) / world);
  const reach = { x: (right - left) / (mesh.across - 1), y: (top - bottom) / (mesh.down - 1) };
  return pixelInBox(mesh, turned, y, reach);
}

/** Returns whether each point of the mesh in a rectangle of the plane, of the box's turn, has an image. */
export function isWhole(mesh: ViewMesh, from: Reach, to: Reach): boolean {
  const { gaps, across, down } = mesh;
  if (gaps === undefined) return true;
  const clamp = (index: number, count: number) => Math.max(0, Math.min(count, index));
  const [i0, i1] = [
    clamp(Math.ceil(meshColumnOf(mesh, from.x)), across),
    clamp(Math.floor(meshColumnOf(mesh, to.x)) + 1, across),
  ];
  const [j0, j1] = [
    clamp(Math.ceil(meshRowOf(mesh, from.y)), down),
    clamp(Math.floor(meshRowOf(mesh, to.y)) + 1, down),
  ];
  if (i0 >= i1 || j0 >= j1) return true;
  const sum = (i: number, j: number) => gaps[j * (across + 1) + i] ?? 0;
  return sum(i1, j1) - sum(i0, j1) - sum(i1, j0) + sum(i0, j0) === 0;
}
