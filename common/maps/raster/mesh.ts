import { halfWorld } from './web-mercator.ts';

const world = 2 * halfWorld;

/**
 * Positions of a raster's box in the raster: the source pixel of a grid of points in Web Mercator. The box is a
 * rectangle of the plane in metres, at most a full turn wide; across 180° it continues eastwards beyond `halfWorld`.
 */
export interface ViewMesh {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Size of the raster at full resolution, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Points along the upper and the left side of the box, including corners. */
  readonly across: number;
  readonly down: number;
  /** Columns and rows, row by row; 0 is the outer corner of the first pixel. NaN for points without an image. */
  readonly columns: Float32Array;
  readonly rows: Float32Array;
  /**
   * Prefix sums of points without an image, above and to the left of each point, inclusive: `(across + 1) × (down + 1)`
   * sums. Undefined if every point has an image.
   */
  readonly gaps: Uint32Array | undefined;
}

const magic = 'STPMESH1';
const headBytes = 60;
const maxPointsPerSide = 257;
const maxPartsPerSide = 4;
/** Size of the largest possible mesh. */
export const maxMeshBytes = headBytes + maxPartsPerSide ** 2 * maxPointsPerSide ** 2 * 8;
const maxSide = 2 ** 31 - 1;
const nowhere = [Number.NaN, Number.NaN] as const;
/** Relative rounding error of boxes. */
const slack = 1e-6;

/**
 * Decodes a mesh from the engine: little endian, `STPMESH1`, the box as four doubles (left, top, right, bottom), five
 * unsigned 32-bit numbers (parts across, parts down, points per side of a part, width and height of the raster), and
 * for each part, row by row, all columns and then all rows as floats. Adjacent parts share points.
 * @throws {RangeError} for any other bytes.
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
  // In this form, NaN is not a box.
  return (
    right > left &&
    top > bottom &&
    right - left <= world * (1 + slack) &&
    Math.abs(left) <= 2 * world &&
    top <= most &&
    bottom >= -most
  );
}

/** Counts the points without an image, and sets their column and row to NaN. */
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

/** Distance in metres up to which a mesh is extrapolated beyond its box. */
export interface Reach {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the source pixel of a point in the box's turn: bilinear inside the mesh, extrapolated along the slopes at the
 * edge of the box. NaN, NaN beyond `reach`, and if one of the four surrounding points has no image.
 */
export function pixelInBox(mesh: ViewMesh, x: number, y: number, reach: Reach): readonly [number, number] {
  if (!isInReach(mesh, x, y, reach)) return nowhere;
  const u = meshColumnOf(mesh, x);
  const v = meshRowOf(mesh, y);
  return [numberAt(mesh, mesh.columns, u, v), numberAt(mesh, mesh.rows, u, v)];
}

/** Returns whether a point in the box's turn is inside the box or within this distance. */
export function isInReach(
  { left, top, right, bottom }: ViewMesh,
  x: number,
  y: number,
  reach: Reach,
): boolean {
  return x >= left - reach.x && x <= right + reach.x && y <= top + reach.y && y >= bottom - reach.y;
}

/** Returns the position of a point among the mesh columns, the first one being 0. */
export function meshColumnOf({ left, right, across }: ViewMesh, x: number): number {
  return ((x - left) / (right - left)) * (across - 1);
}

/** Returns the position of a point among the mesh rows, the upper one being 0. */
export function meshRowOf({ top, bottom, down }: ViewMesh, y: number): number {
  return ((top - y) / (top - bottom)) * (down - 1);
}

/**
 * Interpolates the columns or the rows of a mesh. Allocates no arrays, because a tile calls it a thousand times.
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
  // Bilinear within a cell; linear outside, because the product of two distances would grow too large.
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
 * Returns the source pixel of a point, `[column, row]`, in any turn; NaN, NaN where the raster has no image, and more
 * than one cell of the mesh beyond its box.
 */
export function meshPointAt(mesh: ViewMesh, x: number, y: number): readonly [number, number] {
  const { left, right, top, bottom } = mesh;
  const turned = x + world * Math.round(((left + right) / 2 - x) / world);
  const reach = { x: (right - left) / (mesh.across - 1), y: (top - bottom) / (mesh.down - 1) };
  return pixelInBox(mesh, turned, y, reach);
}

/** Returns whether every point of the mesh in a rectangle of the box's turn has an image. */
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
