import { meshPointAt, numberAt, type ViewMesh } from './mesh.ts';
import { halfWorld, worldX, worldY } from './web-mercator.ts';

const world = 2 * halfWorld;
const radius = halfWorld / Math.PI;
const nowhere = [Number.NaN, Number.NaN] as const;

/**
 * Returns the source pixel of a place, `[column, row]`; NaN, NaN where the raster has no image. @param lon and `lat` in degrees on WGS 84.
 */
export function pixelOfPlace(mesh: ViewMesh, lon: number, lat: number): readonly [number, number] {
  const [column, row] = meshPointAt(mesh, (worldX(lon) - 0.5) * world, (0.5 - worldY(lat)) * world);
  // In this form, NaN counts as outside.
  return column >= 0 && column < mesh.width && row >= 0 && row < mesh.height ? [column, row] : nowhere;
}

const maxSteps = 30;
/** Accepted error in pixels. */
const tolerance = 1e-3;
/** Step of the numerical derivative, as a share of a cell. */
const slopeStep = 1e-3;
/** Points per side of a mesh that are tried as the start of a search. */
const firstLook = 64;

/**
 * Returns the place of a source pixel, `[longitude, latitude]` in degrees on WGS 84: an iteration over the mesh that
 * starts from a linear estimate. NaN, NaN if it does not converge.
 */
export function placeOfPixel(mesh: ViewMesh, column: number, row: number): readonly [number, number] {
  const { across, down, width, height } = mesh;
  const straight = [(column / width) * (across - 1), (row / height) * (down - 1)] as const;
  const found =
    follow(mesh, { column, row }, straight) ?? follow(mesh, { column, row }, nearestPoint(mesh, column, row));
  if (found === undefined) return nowhere;
  const [u, v] = found;
  const x = mesh.left + (u / (across - 1)) * (mesh.right - mesh.left);
  const y = mesh.top - (v / (down - 1)) * (mesh.top - mesh.bottom);
  const lon = (x / halfWorld) * 180;
  return [lon - 360 * Math.round(lon / 360), (Math.atan(Math.sinh(y / radius)) * 180) / Math.PI];
}

interface Pixel {
  readonly column: number;
  readonly row: number;
}

/** Newton's method in mesh coordinates. */
function follow(
  mesh: ViewMesh,
  { column, row }: Pixel,
  [firstU, firstV]: readonly [number, number],
): readonly [number, number] | undefined {
  const clamp = (place: number, count: number) => Math.max(-1, Math.min(count, place));
  let [u, v] = [firstU, firstV];
  for (let step = 0; step < maxSteps; step += 1) {
    const c = numberAt(mesh, mesh.columns, u, v);
    const r = numberAt(mesh, mesh.rows, u, v);
    const [offC, offR] = [column - c, row - r];
    if (Math.abs(offC) < tolerance && Math.abs(offR) < tolerance) return [u, v];
    const cu = (numberAt(mesh, mesh.columns, u + slopeStep, v) - c) / slopeStep;
    const cv = (numberAt(mesh, mesh.columns, u, v + slopeStep) - c) / slopeStep;
    const ru = (numberAt(mesh, mesh.rows, u + slopeStep, v) - r) / slopeStep;
    const rv = (numberAt(mesh, mesh.rows, u, v + slopeStep) - r) / slopeStep;
    const determinant = cu * rv - cv * ru;
    // Also false for NaN.
    if (!(Math.abs(determinant) > 0)) return undefined;
    u = clamp(u + (offC * rv - offR * cv) / determinant, mesh.across);
    v = clamp(v + (offR * cu - offC * ru) / determinant, mesh.down);
  }
  return undefined;
}

/** Returns the point nearest to a pixel, among a sample of the mesh. */
function nearestPoint(
  { across, down, columns, rows }: ViewMesh,
  column: number,
  row: number,
): readonly [number, number] {
  const [stepU, stepV] = [Math.ceil(across / firstLook), Math.ceil(down / firstLook)];
  let [best, u, v] = [Infinity, 0, 0];
  for (let j = 0; j < down; j += stepV) {
    for (let i = 0; i < across; i += stepU) {
      const at = j * across + i;
      const distance = Math.hypot((columns[at] ?? NaN) - column, (rows[at] ?? NaN) - row);
      if (distance < best) [best, u, v] = [distance, i, j];
    }
  }
  return [u, v];
}
