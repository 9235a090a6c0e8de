import type { Lattice, Square } from './lattice.ts';
import { isInReach, isWhole, meshColumnOf, meshRowOf, numberAt, type ViewMesh } from './mesh.ts';
import { halfWorld } from './web-mercator.ts';

const world = 2 * halfWorld;
/** At gaps of a mesh, and where a square sees two turns of it, each cell is divided by this factor per side. */
const finer = 8;
/** Tolerance for boxes that only touch a square, as a share of the world. */
const touch = 1e-12;

/**
 * Maps a square of Web Mercator (metres; at most a full turn wide) onto a raster: the source pixel of each corner of `cells` by `cells`
 * cells. Corners up to one cell beyond the box of the mesh are extrapolated, so that no cell at its edge is lost; corners farther away are
 * NaN.
 *
 * Returns one lattice per turn of the box that the square sees: none beside the raster, several only if the box begins and ends within the
 * square, such as a raster from 0° to 360° in a tile around 0°. At such a seam, a corner has different pixels for the cells on its left and
 * on its right; with separate lattices, each side is correct and reads only its own part of the raster. Draw them on top of each other.
 *
 * Near a seam or points without an image, a lattice has `finer` times as many cells per side, 8 × `cells` in total: a cell with a gap is
 * not drawn, and the gap grows by one small cell only. The drawn size must be a multiple of that.
 */
export function meshLattices(mesh: ViewMesh, square: Square, cells: number): readonly Lattice[] {
  const turned = turnsOf(mesh, square);
  return turned.map((each) => {
    const end = { x: each.left + each.span, y: each.top - each.span };
    const isPlain = turned.length === 1 && isWhole(mesh, { x: each.left, y: each.top }, end);
    return isPlain ? latticeAt(mesh, each, cells) : withoutGaps(mesh, each, cells * finer);
  });
}

/** Returns the square shifted by the full turns at which it meets the box. */
function turnsOf({ left, right, top, bottom }: ViewMesh, square: Square): readonly Square[] {
  if (square.top - square.span >= top || square.top <= bottom) return [];
  const first = Math.floor((left - square.left - square.span) / world);
  const last = Math.ceil((right - square.left) / world);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    ...square,
    left: square.left + (first + index) * world,
  })).filter((each) => each.left + touch * world < right && each.left + each.span - touch * world > left);
}

function latticeAt(mesh: ViewMesh, square: Square, cells: number): Lattice {
  // Slightly more than a cell, for rounding.
  const step = square.span / cells;
  const reach = { x: step * 1.001, y: step * 1.001 };
  const corners = cells + 1;
  const columns = new Float64Array(corners * corners);
  const rows = new Float64Array(corners * corners);
  for (let at = 0; at < columns.length; at += 1) {
    const x = square.left + (at % corners) * step;
    const y = square.top - Math.floor(at / corners) * step;
    const isNear = isInReach(mesh, x, y, reach);
    const u = meshColumnOf(mesh, x);
    const v = meshRowOf(mesh, y);
    columns[at] = isNear ? numberAt(mesh, mesh.columns, u, v) : Number.NaN;
    rows[at] = isNear ? numberAt(mesh, mesh.rows, u, v) : Number.NaN;
  }
  return { cells, columns, rows };
}

/** Removes the upper left corner of each cell that contains a gap. */
function withoutGaps(mesh: ViewMesh, square: Square, cells: number): Lattice {
  const lattice = latticeAt(mesh, square, cells);
  if (mesh.gaps === undefined) return lattice;
  const step = square.span / cells;
  for (let j = 0; j < cells; j += 1) {
    for (let i = 0; i < cells; i += 1) {
      const [x, y] = [square.left + i * step, square.top - j * step];
      if (isWhole(mesh, { x, y }, { x: x + step, y: y - step })) continue;
      lattice.columns[j * (cells + 1) + i] = Number.NaN;
      lattice.rows[j * (cells + 1) + i] = Number.NaN;
    }
  }
  return lattice;
}
