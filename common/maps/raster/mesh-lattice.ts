import type { Lattice, Square } from './lattice.ts';
import { isInReach, isWhole, meshColumnOf, meshRowOf, numberAt, type ViewMesh } from './mesh.ts';
import { halfWorld } from './web-mercator.ts';

const world = 2 * halfWorld;
/** Where a mesh has gaps or a square sees two turns of it, each cell is cut into so many along a side. */
const finer = 8;
/** Boxes that only touch a square, for rounding, as a share of the world. */
const touch = 1e-12;

/**
 * Places a square of Web Mercator (metres; at most a whole turn wide) on a raster: the source pixel of each corner of
 * `cells` by `cells` cells. Corners up to one cell beyond the box of the mesh are continued, so that no cell at its edge is
 * lost; those farther away are NaN.
 *
 * One lattice for each turn of the box that the square sees: none beside the raster, more than one only where the box begins
 * and ends within the square, such as a raster from 0° to 360° in a tile around 0°. A corner belongs to several cells, and at
 * such a seam it has another pixel for those on its left than for those on its right; in a lattice of its own each side is
 * right, and reads only its own part of the raster. Draw them one over the other.
 *
 * Where a seam or points without an image are near, a cell has `finer` times as many cells a side, 8 × `cells` in all: a
 * cell that holds a gap is not drawn, which then loses the width of such a small cell. The size that is drawn has to be a multiple of that.
 */
export function meshLattices(mesh: ViewMesh, square: Square, cells: number): readonly Lattice[] {
  const turned = turnsOf(mesh, square);
  return turned.map((each) => {
    const end = { x: each.left + each.span, y: each.top - each.span };
    const isPlain = turned.length === 1 && isWhole(mesh, { x: each.left, y: each.top }, end);
    return isPlain ? latticeAt(mesh, each, cells) : withoutGaps(mesh, each, cells * finer);
  });
}

/** The square by the whole turns that bring it over the box. */
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
  // A little more than a cell, for rounding.
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

/** Takes the upper left corner from each cell over which the image does not go on. */
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
